extension Float {
  /// The nearest integer, ties to even, of a number of quantization steps.
  ///
  /// Numbers beyond 2²² are far outside the range of bytes, and NaN counts as such a number. Adding
  /// 3 · 2²² leaves no bits for a fraction, so the addition rounds.
  @inline(__always)
  var roundedToStep: Int32 {
    let bounded = self < 0x1p22 ? (self > -0x1p22 ? self : -0x1p22) : 0x1p22
    let shifter: Float = 0x1.8p23
    return Int32(bitPattern: (bounded + shifter).bitPattern)
      &- Int32(bitPattern: shifter.bitPattern)
  }
}
