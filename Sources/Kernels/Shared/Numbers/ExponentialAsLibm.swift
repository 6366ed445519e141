/// The `exp(x)` of the reference, bit-exact with `expf` of the GNU C library.
///
/// The library splits the exponent at multiples of 1/32, and evaluates a cubic polynomial in double
/// precision for the rest. The polynomial's error decides the last bit if the exact result is close
/// to a tie. Therefore this code uses the same split and the same degree; its coefficients are
/// those of the minimax polynomial in relative error, which is unique.
struct ExponentialAsLibm {
  private let powersOfTwo: PowersOfTwo

  /// Creates the function with the table that `withRootsOfTwo` stored.
  @inline(__always)
  init(roots: UnsafeRawPointer) { self.powersOfTwo = PowersOfTwo(roots: roots) }

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector {
    // Above this bound, results are infinite.
    ofModerate(minimum(FloatVector(repeating: 89), x))
  }

  @inline(__always)
  func callAsFunction(_ x: Quartet) -> Quartet {
    ofModerate(minimum(Quartet(repeating: 89), x))
  }

  /// Computes `exp(x)` of numbers up to 89.
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

  /// Computes `exp(x)` of numbers up to 89, in four vectors.
  @inline(__always)
  func ofModerate(_ x: Quartet) -> Quartet {
    let x = Octet(halvesOf: x.map(bounded))
    let steps = x.map(shiftedSteps)
    let r = x.zip(steps, rest)
    let square = r.map(first).zip(r, second)
    let powers = steps.mapPairs { powersOfTwo($0, $1) }
    return Quartet(halves: square.zip(r, third).zip(powers) { $0 * $1 })
  }

  /// Below this bound, results are zero.
  @inline(__always)
  private func bounded(_ x: FloatVector) -> FloatVector {
    maximum(FloatVector(repeating: -104), x)
  }

  /// Rounds to steps: the sum has no bits for a fraction, and the number of steps in its lowest
  /// bits.
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

  // The cubic polynomial by Horner's scheme.

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

/// Returns `x` in steps plus an integer that nearly cancels it, rounded once.
@inline(__always)
private func remainder(_ x: DoubleVector, plus steps: DoubleVector) -> DoubleVector {
  #if FMA
    fusedMultiplyAdd(steps, x, DoubleVector(repeating: stepsPerUnit))
  #else
    // The product of a float and the upper half of the factor is exact.
    (x * DoubleVector(repeating: 46.166_241_168_975_83) + steps) + x
      * DoubleVector(repeating: 1.3947099830602383e-07)
  #endif
}

/// Fuses the multiplication and the addition if the hardware can; floats do not show the
/// difference.
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
