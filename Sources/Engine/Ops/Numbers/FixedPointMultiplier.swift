/// A real multiplier of integers in the form of the official kernels: a 31-bit fraction and a
/// shift.
///
/// It rounds as the official runtime does by default (`TFLITE_SINGLE_ROUNDING` off): once after the
/// multiplication and once more after the right shift.
package struct FixedPointMultiplier: Sendable, Hashable {
  /// The fraction, in units of 2⁻³¹: zero, or at least 2³⁰ in magnitude.
  package var fraction: Int32
  /// The power of two that multiplies the fraction; negative exponents shift to the right.
  package var exponent: Int {
    get { Int(storedExponent) }
    set { storedExponent = Int32(truncatingIfNeeded: newValue) }
  }

  /// Stored in 32 bits like the fraction, since models keep one for every channel.
  private var storedExponent: Int32

  package init(fraction: Int32, exponent: Int) {
    self.fraction = fraction
    storedExponent = Int32(truncatingIfNeeded: exponent)
  }

  /// Creates the nearest representation of `real`, or `nil` when there is none.
  ///
  /// Numbers below about 2⁻³¹ become zero, as in `QuantizeMultiplier`. So do infinity and NaN,
  /// which result from a scale of zero: the official conversion to an integer gives zero on x86,
  /// too, and real models have such channels.
  package init?(_ real: Double) {
    guard real.isFinite, real != 0 else {
      self.init(fraction: 0, exponent: 0)
      return
    }
    // Works on the bits, since models have thousands of multipliers. This is `frexp`, whose
    // significand is at least one half, and `round`, which takes ties away from zero. Subnormal
    // numbers have no leading one, but are far too small anyway.
    let significand = real.significandBitPattern | 1 << 52
    var magnitude = Int64(truncatingIfNeeded: (significand + 1 << 21) >> 22)
    var exponent = Int(real.exponentBitPattern) - 1022
    if magnitude == 1 << 31 {
      magnitude /= 2
      exponent += 1
    }
    guard exponent >= -31 else {
      self.init(fraction: 0, exponent: 0)
      return
    }
    // No kernel shifts a 32-bit number further; larger multipliers come from broken files.
    guard exponent <= 31 else { return nil }
    let fraction = Int32(truncatingIfNeeded: real < 0 ? -magnitude : magnitude)
    self.init(fraction: fraction, exponent: exponent)
  }

  /// Returns `value × self`, rounded twice, as `MultiplyByQuantizedMultiplier` on 32 bits.
  package func scale(_ value: Int32) -> Int32 {
    let shifted = exponent > 0 ? value &<< Int32(exponent) : value
    return roundingShiftRight(
      saturatingRoundingDoublingHigh(shifted, fraction), by: exponent > 0 ? 0 : -exponent)
  }

  /// Returns `value × self` for a multiplier below one, as
  /// `MultiplyByQuantizedMultiplierSmallerThanOneExp`.
  ///
  /// Official kernels also call it with other multipliers, to compare quantized numbers with scales
  /// above one and to divide small or large numbers. The shift is then negative or exceeds the
  /// word, which C++ leaves undefined; the result here is that of x86, which users of the official
  /// runtime get.
  package func scaleDown(_ value: Int32) -> Int32 {
    let product = saturatingRoundingDoublingHigh(value, fraction)
    let mask = Int32(truncatingIfNeeded: (Int64(1) &<< Int64(-exponent)) &- 1)
    let threshold = (mask >> 1) + (product < 0 ? 1 : 0)
    return (product &>> Int32(truncatingIfNeeded: -exponent))
      &+ (product & mask > threshold ? 1 : 0)
  }

  /// The fraction in units of 2⁻¹⁵, the multiplier of 64-bit numbers.
  package var reducedFraction: Int32 {
    fraction < 0x7FFF_0000 ? (fraction + (1 << 15)) >> 16 : 0x7FFF
  }

  /// Returns `value × self` with a 16-bit fraction and one rounding, as the 64-bit overload.
  package func scale(_ value: Int64) -> Int32 {
    let shift = Int64(15 - exponent)
    let rounding: Int64 = shift > 0 ? 1 &<< (shift - 1) : 0
    return Int32(truncatingIfNeeded: (value &* Int64(reducedFraction) &+ rounding) >> shift)
  }
}

/// A sum that is requantized in fixed point, with a rounding that depends on its bit width.
package protocol FixedPointScalable: FixedWidthInteger, BitwiseCopyable {
  func scaled(by multiplier: FixedPointMultiplier) -> Int32
}

extension Int32: FixedPointScalable {
  package func scaled(by multiplier: FixedPointMultiplier) -> Int32 { multiplier.scale(self) }
}

extension Int64: FixedPointScalable {
  package func scaled(by multiplier: FixedPointMultiplier) -> Int32 { multiplier.scale(self) }
}

/// Returns the upper half of `2ab`, rounded to nearest with ties upwards; saturated in the one case
/// that overflows.
package func saturatingRoundingDoublingHigh(_ a: Int32, _ b: Int32) -> Int32 {
  if a == b && a == .min { return .max }
  let product = Int64(a) * Int64(b)
  let nudge: Int64 = product >= 0 ? 1 << 30 : 1 - 1 << 30
  return Int32(truncatingIfNeeded: (product + nudge) / (1 << 31))
}

/// Returns the upper half of `2ab` on 16 bits, with the same rounding and saturation.
package func saturatingRoundingDoublingHigh(_ a: Int16, _ b: Int16) -> Int16 {
  if a == b && a == .min { return .max }
  let product = Int32(a) * Int32(b)
  let nudge: Int32 = product >= 0 ? 1 << 14 : 1 - 1 << 14
  return Int16(truncatingIfNeeded: (product + nudge) / (1 << 15))
}

/// Returns `value / 2^exponent`, rounded to nearest, ties away from zero.
package func roundingShiftRight<Value: FixedWidthInteger>(
  _ value: Value, by exponent: Int
) -> Value {
  guard exponent > 0 else { return value }
  let mask: Value = (1 &<< Value(truncatingIfNeeded: exponent)) &- 1
  let remainder = value & mask
  let threshold = (mask >> 1) + (value < 0 ? 1 : 0)
  return (value >> Value(truncatingIfNeeded: exponent)) + (remainder > threshold ? 1 : 0)
}
