/// A whole power by multiplying, as the official kernel does: every product is limited to finite numbers.
struct WholePower {
  /// The exponent's bits below its highest one, from the top on.
  private var bits: UInt32
  private var bitCount: Int

  /// The exponent is at least one.
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

/// The nearest finite number; NaN stays.
@inline(__always)
private func finite(_ x: FloatVector) -> FloatVector {
  let greatest = Float.greatestFiniteMagnitude
  return clamp(x, FloatVector(repeating: 0 - greatest), FloatVector(repeating: greatest))
}
