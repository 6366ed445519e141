/// An angle as an integral number of quarter turns and a remainder of at most one eighth of a turn.
private struct ReducedAngle<Lanes: FloatLanes> {
  /// The number of quarter turns in the lowest bits.
  private var quarters: Lanes
  /// The sine and cosine of the remainder.
  private var sine: Lanes
  private var cosine: Lanes

  /// Reduces angles of magnitudes up to 2¹³.
  ///
  /// Polynomials: S. Moshier, Cephes mathematical library, single precision.
  @inline(__always)
  init(_ x: Lanes) {
    // Adding 3 · 2²² rounds to an integer.
    let shifter = Lanes(repeating: 12_582_912)
    quarters = FusedMultiplyAdd.multiplyAdd(shifter, x, Lanes(repeating: 0.636_619_77))
    let count = quarters - shifter
    // A quarter turn in three parts, of which two have so few bits that their multiples are exact.
    var r = FusedMultiplyAdd.multiplyAdd(x, count, Lanes(repeating: -1.570_312_5))
    r = FusedMultiplyAdd.multiplyAdd(r, count, Lanes(repeating: -4.837_512_969_970_703e-4))
    r = FusedMultiplyAdd.multiplyAdd(r, count, Lanes(repeating: -7.549_789_948_768_648e-8))
    let square = r * r
    var sum = Lanes(repeating: -1.951_529_6e-4)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 8.332_161e-3), sum, square)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -1.666_665_46e-1), sum, square)
    sine = FusedMultiplyAdd.multiplyAdd(r, sum, square * r)
    sum = Lanes(repeating: 2.443_315_7e-5)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -1.388_731_6e-3), sum, square)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 4.166_664_6e-2), sum, square)
    let half = FusedMultiplyAdd.multiplyAdd(
      Lanes(repeating: 1), square, Lanes(repeating: -0.5))
    cosine = FusedMultiplyAdd.multiplyAdd(half, sum, square * square)
  }

  /// Returns the sine of the angle plus a number of quarter turns.
  @inline(__always)
  func sine(after quarterTurns: Float) -> Lanes {
    (quarters + Lanes(repeating: quarterTurns)).zip(sine, cosine, sineOfReducedAngle)
  }
}

/// Returns the sine of the angle from its quarter turns and the sine and cosine of the remainder.
@inline(__always)
private func sineOfReducedAngle(
  _ quarters: FloatVector, _ sine: FloatVector, _ cosine: FloatVector
) -> FloatVector {
  let quarters = integerBits(quarters)
  // As sign bits: the lowest bit selects sine or cosine, and the next one gives the sign.
  let result = select(quarters &<< 31, cosine, sine)
  let bits = integerBits(result) ^ ((quarters &<< 30) & signBits)
  return unsafeBitCast(bits, to: FloatVector.self)
}

/// Computes `sin x` for magnitudes up to 2¹³.
@inline(__always)
func sine<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x.zip(ReducedAngle(x).sine(after: 0), withSignOfZero)
}

/// Restores the sign of zeros.
@inline(__always)
private func withSignOfZero(_ x: FloatVector, _ sine: FloatVector) -> FloatVector {
  let isZero = ~nonZeroLanes(integerBits(x) & ~signBits)
  return unsafeBitCast(
    (integerBits(sine) & ~isZero) | (integerBits(x) & isZero), to: FloatVector.self)
}

/// Computes `cos x` for magnitudes up to 2¹³.
@inline(__always)
func cosine<Lanes: FloatLanes>(_ x: Lanes) -> Lanes { ReducedAngle(x).sine(after: 1) }
