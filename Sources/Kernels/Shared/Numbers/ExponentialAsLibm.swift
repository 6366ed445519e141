/// `exp(x)` with the bits that the reference gets from `expf` of the GNU C library.
///
/// That library splits the exponent at 32nds and takes a cubic polynomial in double precision for
/// the rest, whose error is what decides the last bit where an exact result would be near a tie.
/// So the split and the degree of the polynomial are the same here; its coefficients are those of
/// the least greatest relative error, which only one polynomial has.
struct ExponentialAsLibm {
  private let roots: DoubleTable

  /// The function that finds 2^(0/32) to 2^(31/32) in memory, where `withRootsOfTwo` put them.
  @inline(__always)
  init(roots: UnsafeRawPointer) { self.roots = DoubleTable(roots) }

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
    return floats(exponential(doublesOfLowHalf(x)), exponential(doublesOfHighHalf(x)))
  }

  /// The same for four vectors.
  @inline(__always)
  func ofModerate(_ x: Quartet) -> Quartet {
    let powers = exponentials(Octet(halvesOf: x.map(bounded)))
    return Quartet(
      floats(powers.a, powers.b), floats(powers.c, powers.d), floats(powers.e, powers.f),
      floats(powers.g, powers.h))
  }

  /// Below, results are zero anyway.
  @inline(__always)
  private func bounded(_ x: FloatVector) -> FloatVector {
    maximum(FloatVector(repeating: -104), x)
  }

  @inline(__always)
  private func exponential(_ x: DoubleVector) -> DoubleVector {
    let steps = shiftedSteps(x)
    let r = rest(x, steps)
    return power(steps, second(first(r), r), r)
  }

  /// The same for eight vectors, whose steps alternate.
  @inline(__always)
  private func exponentials(_ x: Octet) -> Octet {
    let steps = x.map(shiftedSteps)
    let r = x.zip(steps, rest)
    let linear = r.map(first)
    let square = linear.zip(r, second)
    return steps.zip(square, r, power)
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

  // The first two factors of the cubic polynomial.

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
  private func power(
    _ shiftedSteps: DoubleVector, _ square: DoubleVector, _ r: DoubleVector
  ) -> DoubleVector {
    let cubic = multiplyAdd(DoubleVector(repeating: 1), square, r)
    let steps = unsafeBitCast(shiftedSteps, to: WideVector.self)
    let root = unsafeBitCast(roots[steps], to: WideVector.self)
    // Whole powers of two are added to the exponent.
    let power = root &+ ((steps & ~WideVector(repeating: 31)) &<< 47)
    return unsafeBitCast(power, to: DoubleVector.self) * cubic
  }
}

/// Puts 2^(0/32) to 2^(31/32) where a `DoubleTable` can look them up.
@inline(__always)
func withRootsOfTwo(_ body: (UnsafeRawPointer) -> Void) {
  var roots = SIMD32<Double>(
    1, 1.0218971486541166, 1.0442737824274138, 1.0671404006768237,
    1.0905077326652577, 1.1143867425958924, 1.1387886347566916, 1.1637248587775775,
    1.189207115002721, 1.215247359980469, 1.241857812073484, 1.2690509571917332,
    1.2968395546510096, 1.3252366431597413, 1.3542555469368927, 1.383909881963832,
    1.4142135623730951, 1.4451808069770467, 1.4768261459394993, 1.5091644275934228,
    1.5422108254079407, 1.5759808451078865, 1.6104903319492543, 1.645755478153965,
    1.681792830507429, 1.718619298122478, 1.7562521603732995, 1.7947090750031072,
    1.8340080864093424, 1.8741676341103, 1.9152065613971474, 1.9571441241754002)
  withUnsafeBytes(of: &roots) { body($0.baseAddress.unsafelyUnwrapped) }
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
