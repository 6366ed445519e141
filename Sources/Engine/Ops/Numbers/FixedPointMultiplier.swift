/// A positive real number as the official kernels multiply integers with it: a 31-bit fraction
/// and a shift.
///
/// The rounding follows the runtime as it is built by default (`TFLITE_SINGLE_ROUNDING` off):
/// once after the multiplication and once more after the shift to the right.
package struct FixedPointMultiplier: Sendable, Hashable {
  /// The fraction, in units of 2⁻³¹: zero, or at least 2³⁰ in magnitude.
  package var fraction: Int32
  /// The power of two that the fraction is multiplied with; negative shifts to the right.
  package var exponent: Int {
    get { Int(narrowExponent) }
    set { narrowExponent = Int32(truncatingIfNeeded: newValue) }
  }

  /// As long as the fraction, since models keep one for every channel.
  private var narrowExponent: Int32

  package init(fraction: Int32, exponent: Int) {
    self.fraction = fraction
    narrowExponent = Int32(truncatingIfNeeded: exponent)
  }

  /// The nearest representation of `real`, or `nil` when there is none.
  ///
  /// Numbers below about 2⁻³¹ become zero, as in `QuantizeMultiplier`. So do infinity and NaN,
  /// which a scale of zero makes: on x86 the official conversion to an integer ends there too,
  /// and real models have such channels.
  package init?(_ real: Double) {
    guard real.isFinite, real != 0 else {
      self.init(fraction: 0, exponent: 0)
      return
    }
    // On the bits of the number, since models have thousands of them: `frexp`, whose significand
    // is at least a half, and `round`, which takes ties away from zero. What has no leading one
    // is far too small.
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

  /// `value × self`, rounded twice, as `MultiplyByQuantizedMultiplier` on 32 bits.
  package func scale(_ value: Int32) -> Int32 {
    let shifted = exponent > 0 ? value &<< Int32(exponent) : value
    return roundingShiftRight(
      saturatingRoundingDoublingHigh(shifted, fraction), by: exponent > 0 ? 0 : -exponent)
  }

  /// `value × self` for a multiplier below one, as `MultiplyByQuantizedMultiplierSmallerThanOneExp`.
  ///
  /// Official kernels call that with other multipliers too: to compare quantized numbers of scales
  /// above one, and to divide small or large ones. The shift is then negative or exceeds the word,
  /// which C++ leaves undefined; here it comes out as x86 does it, which is what everybody gets.
  package func scaleDown(_ value: Int32) -> Int32 {
    let product = saturatingRoundingDoublingHigh(value, fraction)
    let mask = Int32(truncatingIfNeeded: (Int64(1) &<< Int64(-exponent)) &- 1)
    let threshold = (mask >> 1) + (product < 0 ? 1 : 0)
    return (product &>> Int32(truncatingIfNeeded: -exponent))
      &+ (product & mask > threshold ? 1 : 0)
  }

  /// The fraction in units of 2⁻¹⁵, as 64-bit numbers are multiplied with.
  package var reducedFraction: Int32 {
    fraction < 0x7FFF_0000 ? (fraction + (1 << 15)) >> 16 : 0x7FFF
  }

  /// `value × self` with a 16-bit fraction and one rounding, as the 64-bit overload.
  package func scale(_ value: Int64) -> Int32 {
    let shift = Int64(15 - exponent)
    let rounding: Int64 = shift > 0 ? 1 &<< (shift - 1) : 0
    return Int32(truncatingIfNeeded: (value &* Int64(reducedFraction) &+ rounding) >> shift)
  }
}

/// A sum that is requantized in fixed point, each width with its own rounding.
package protocol FixedPointScalable: FixedWidthInteger, BitwiseCopyable {
  func scaled(by multiplier: FixedPointMultiplier) -> Int32
}

extension Int32: FixedPointScalable {
  package func scaled(by multiplier: FixedPointMultiplier) -> Int32 { multiplier.scale(self) }
}

extension Int64: FixedPointScalable {
  package func scaled(by multiplier: FixedPointMultiplier) -> Int32 { multiplier.scale(self) }
}

/// The upper half of `2ab`, rounded to nearest (ties away from zero but for negative ones,
/// which the bias below pulls up); saturated in the one case that overflows.
package func saturatingRoundingDoublingHigh(_ a: Int32, _ b: Int32) -> Int32 {
  if a == b && a == .min { return .max }
  let product = Int64(a) * Int64(b)
  let nudge: Int64 = product >= 0 ? 1 << 30 : 1 - 1 << 30
  return Int32(truncatingIfNeeded: (product + nudge) / (1 << 31))
}

/// The same on 16 bits.
package func saturatingRoundingDoublingHigh(_ a: Int16, _ b: Int16) -> Int16 {
  if a == b && a == .min { return .max }
  let product = Int32(a) * Int32(b)
  let nudge: Int32 = product >= 0 ? 1 << 14 : 1 - 1 << 14
  return Int16(truncatingIfNeeded: (product + nudge) / (1 << 15))
}

/// `value / 2^exponent`, rounded to nearest, ties away from zero.
package func roundingShiftRight<Value: FixedWidthInteger>(
  _ value: Value, by exponent: Int
) -> Value {
  guard exponent > 0 else { return value }
  let mask: Value = (1 &<< Value(truncatingIfNeeded: exponent)) &- 1
  let remainder = value & mask
  let threshold = (mask >> 1) + (value < 0 ? 1 : 0)
  return (value >> Value(truncatingIfNeeded: exponent)) + (remainder > threshold ? 1 : 0)
}
