/// An integral power by multiplications, each clamped to finite numbers as in the official kernel.
struct IntegralPower {
  /// The bits of the exponent below its highest one, left-aligned.
  private var bits: UInt32
  private var bitCount: Int

  /// Creates the power of an exponent of at least one.
  @inline(__always)
  init(_ exponent: UInt32) {
    let above = exponent.leadingZeroBitCount &+ 1
    bitCount = 32 &- above
    bits = bitCount == 0 ? 0 : exponent &<< UInt32(truncatingIfNeeded: above)
  }

  @inline(__always)
  func callAsFunction<Lanes: FloatLanes>(of x: Lanes) -> Lanes {
    var power = x
    var bits = bits
    for _ in 0..<bitCount {
      power = (power * power).map(finite)
      if bits & 0x8000_0000 != 0 { power = (power * x).map(finite) }
      bits &<<= 1
    }
    return power
  }
}

/// Returns the nearest finite number; NaN stays.
@inline(__always)
private func finite(_ x: FloatVector) -> FloatVector {
  let greatest = Float.greatestFiniteMagnitude
  return clamp(x, FloatVector(repeating: 0 - greatest), FloatVector(repeating: greatest))
}
