/// An angle as a whole number of right angles and what is left, at most half of one to either side.
private struct QuarterTurns {
  /// The whole number in the lowest bits.
  var quarters: SumVector
  /// Sine and cosine of what is left.
  var sine: FloatVector
  var cosine: FloatVector

  /// Takes numbers up to 2¹³ and down to -2¹³.
  ///
  /// Polynomials: S. Moshier, Cephes mathematical library, single precision.
  @inline(__always)
  init(_ x: FloatVector) {
    // Adding 3 · 2²² leaves no bits for a fraction.
    let shifter = FloatVector(repeating: 12_582_912)
    let shifted = FusedMultiplyAdd.multiplyAdd(shifter, x, FloatVector(repeating: 0.636_619_77))
    quarters = integerBits(shifted)
    let count = shifted - shifter
    // A right angle in three parts, the first two so short that their multiples are exact.
    var r = FusedMultiplyAdd.multiplyAdd(x, count, FloatVector(repeating: -1.570_312_5))
    r = FusedMultiplyAdd.multiplyAdd(r, count, FloatVector(repeating: -4.837_512_969_970_703e-4))
    r = FusedMultiplyAdd.multiplyAdd(r, count, FloatVector(repeating: -7.549_789_948_768_648e-8))
    let square = r * r
    var sum = FloatVector(repeating: -1.951_529_6e-4)
    sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 8.332_161e-3), sum, square)
    sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -1.666_665_46e-1), sum, square)
    sine = FusedMultiplyAdd.multiplyAdd(r, sum, square * r)
    sum = FloatVector(repeating: 2.443_315_7e-5)
    sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -1.388_731_6e-3), sum, square)
    sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 4.166_664_6e-2), sum, square)
    let half = FusedMultiplyAdd.multiplyAdd(
      FloatVector(repeating: 1), square, FloatVector(repeating: -0.5))
    cosine = FusedMultiplyAdd.multiplyAdd(half, sum, square * square)
  }

  /// The sine so many right angles further on.
  @inline(__always)
  func sine(after turns: Int32) -> FloatVector {
    let quarters = quarters &+ SumVector(repeating: turns)
    // The lowest bit, which chooses, and the next one, which is the sign, as sign bits.
    let result = select(quarters &<< 31, cosine, sine)
    let bits = integerBits(result) ^ ((quarters &<< 30) & signBits)
    return unsafeBitCast(bits, to: FloatVector.self)
  }
}

/// `sin x` of numbers up to 2¹³ and down to -2¹³.
@inline(__always)
func sine(_ x: FloatVector) -> FloatVector {
  // Zeros keep their sign.
  let sine = integerBits(QuarterTurns(x).sine(after: 0))
  let isZero = ~nonZeroLanes(integerBits(x) & ~signBits)
  return unsafeBitCast((sine & ~isZero) | (integerBits(x) & isZero), to: FloatVector.self)
}

/// `cos x` of numbers up to 2¹³ and down to -2¹³.
@inline(__always)
func cosine(_ x: FloatVector) -> FloatVector { QuarterTurns(x).sine(after: 1) }
