/// `exp(x)` with the bits that the reference gets from `expf` of the GNU C library.
///
/// That library splits the exponent at 32nds and takes a cubic polynomial in double precision for
/// the rest, whose error is what decides the last bit where an exact result would be near a tie.
/// So the split and the degree of the polynomial are the same here; its coefficients are those of
/// the least greatest relative error, which only one polynomial has.
struct ExponentialAsLibm {
  private let roots: DoubleTable

  /// The function that finds the roots in memory, where `withRootsOfTwo` put them.
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
    // Whole powers of two are added to the exponent, and the 32nds, which the root's bits lack.
    let power = root &+ (steps &<< 47)
    return unsafeBitCast(power, to: DoubleVector.self) * cubic
  }
}

/// Puts the bits of 2^(0/32) to 2^(31/32) where a `DoubleTable` can look them up, each less the 32nds
/// themselves where the lowest bit of an exponent would be one: so a whole number of steps can be added that
/// still has its 32nds.
@inline(__always)
func withRootsOfTwo(_ body: (UnsafeRawPointer) -> Void) {
  var roots = SIMD32<UInt64>(
    0x3FF0_0000_0000_0000, 0x3FEF_D9B0_D315_8574, 0x3FEF_B558_6CF9_890F, 0x3FEF_9301_D012_5B51,
    0x3FEF_72B8_3C7D_517B, 0x3FEF_5487_3168_B9AA, 0x3FEF_387A_6E75_6238, 0x3FEF_1E9D_F51F_DEE1,
    0x3FEF_06FE_0A31_B715, 0x3FEE_F1A7_373A_A9CB, 0x3FEE_DEA6_4C12_3422, 0x3FEE_CE08_6061_892D,
    0x3FEE_BFDA_D536_2A27, 0x3FEE_B42B_569D_4F82, 0x3FEE_AB07_DD48_5429, 0x3FEE_A47E_B03A_5585,
    0x3FEE_A09E_667F_3BCD, 0x3FEE_9F75_E8EC_5F74, 0x3FEE_A114_73EB_0187, 0x3FEE_A589_994C_CE13,
    0x3FEE_ACE5_422A_A0DB, 0x3FEE_B737_B0CD_C5E5, 0x3FEE_C491_82A3_F090, 0x3FEE_D503_B23E_255D,
    0x3FEE_E89F_995A_D3AD, 0x3FEE_FF76_F2FB_5E47, 0x3FEF_199B_DD85_529C, 0x3FEF_3720_DCEF_9069,
    0x3FEF_5818_DCFB_A487, 0x3FEF_7C97_337B_9B5F, 0x3FEF_A4AF_A2A4_90DA, 0x3FEF_D076_5B6E_4540)
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
