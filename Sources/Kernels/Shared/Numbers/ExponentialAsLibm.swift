/// `exp(x)` with the bits that the reference gets from `expf` of the GNU C library.
///
/// That library splits the exponent at 32nds and takes a cubic polynomial in double precision for
/// the rest, whose error is what decides the last bit where an exact result would be near a tie.
/// So the split and the degree of the polynomial are the same here; its coefficients are those of
/// the least greatest relative error, which only one polynomial has.
struct ExponentialAsLibm {
  private let powersOfTwo: PowersOfTwo

  /// The function that finds the roots in memory, where `withRootsOfTwo` put them.
  @inline(__always)
  init(roots: UnsafeRawPointer) { self.powersOfTwo = PowersOfTwo(roots: roots) }

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector {
    // Beyond, results are infinite anyway.
    ofModerate(minimum(FloatVector(repeating: 89), x))
  }

  @inline(__always)
  func callAsFunction(_ x: Quartet) -> Quartet {
    ofModerate(minimum(Quartet(repeating: 89), x))
  }

  /// The same for numbers up to 89.
  @inline(__always)
  func ofModerate(_ x: FloatVector) -> FloatVector {
    let x = bounded(x)
    let low = doublesOfLowHalf(x)
    let high = doublesOfHighHalf(x)
    let lowSteps = shiftedSteps(low)
    let highSteps = shiftedSteps(high)
    let powers = powersOfTwo(lowSteps, highSteps)
    return floats(
      cubic(rest(low, lowSteps)) * powers.low, cubic(rest(high, highSteps)) * powers.high)
  }

  /// The same for four vectors.
  @inline(__always)
  func ofModerate(_ x: Quartet) -> Quartet {
    let x = Octet(halvesOf: x.map(bounded))
    let steps = x.map(shiftedSteps)
    let r = x.zip(steps, rest)
    let square = r.map(first).zip(r, second)
    let powers = steps.mapPairs { powersOfTwo($0, $1) }
    return Quartet(halves: square.zip(r, third).zip(powers) { $0 * $1 })
  }

  /// Below, results are zero anyway.
  @inline(__always)
  private func bounded(_ x: FloatVector) -> FloatVector {
    maximum(FloatVector(repeating: -104), x)
  }

  /// What leaves no bits for a fraction: the sum has the whole number of steps in its lowest bits.
  @inline(__always)
  private func shiftedSteps(_ x: DoubleVector) -> DoubleVector {
    multiplyAdd(Self.shift, x, DoubleVector(repeating: stepsPerUnit))
  }

  @inline(__always)
  private func rest(_ x: DoubleVector, _ steps: DoubleVector) -> DoubleVector {
    remainder(x, plus: Self.shift - steps)
  }

  private static var shift: DoubleVector {
    @inline(__always)
    get { DoubleVector(repeating: 0x1.8p52) }
  }

  // The cubic polynomial, factor by factor.

  @inline(__always)
  private func cubic(_ r: DoubleVector) -> DoubleVector { third(second(first(r), r), r) }

  @inline(__always)
  private func first(_ r: DoubleVector) -> DoubleVector {
    multiplyAdd(
      DoubleVector(repeating: 0.00023459809789508896),
      DoubleVector(repeating: 1.6938359250928142e-06), r)
  }

  @inline(__always)
  private func second(_ linear: DoubleVector, _ r: DoubleVector) -> DoubleVector {
    multiplyAdd(DoubleVector(repeating: 0.021660849396613134), linear, r)
  }

  @inline(__always)
  private func third(_ square: DoubleVector, _ r: DoubleVector) -> DoubleVector {
    multiplyAdd(DoubleVector(repeating: 1), square, r)
  }
}

/// 32 divided by the natural logarithm of 2.
private let stepsPerUnit = 46.166_241_308_446_83

/// `x` in steps plus some whole ones, which leave little of it: rounded once.
@inline(__always)
private func remainder(_ x: DoubleVector, plus steps: DoubleVector) -> DoubleVector {
  #if FMA
    fusedMultiplyAdd(steps, x, DoubleVector(repeating: stepsPerUnit))
  #else
    // The product of a float with the upper half of the factor is exact.
    (x * DoubleVector(repeating: 46.166_241_168_975_83) + steps) + x
      * DoubleVector(repeating: 1.3947099830602383e-07)
  #endif
}

/// Rounds the sum only, where the hardware can; which of the two does not show in floats.
@inline(__always)
private func multiplyAdd(
  _ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector
) -> DoubleVector {
  #if FMA
    fusedMultiplyAdd(sum, a, b)
  #else
    sum + a * b
  #endif
}
