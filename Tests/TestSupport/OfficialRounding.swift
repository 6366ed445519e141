/// The fixed-point scaling of the official runtime as gemmlowp defines it, in 64-bit arithmetic.
package enum OfficialRounding {
  /// Returns `SaturatingRoundingDoublingHighMul`: (a · b + nudge) / 2³¹ by truncating division.
  package static func doublingHigh(_ a: Int32, _ b: Int32) -> Int32 {
    if a == .min && b == .min { return .max }
    let product = Int64(a) * Int64(b)
    let nudge: Int64 = product >= 0 ? 1 << 30 : 1 - (1 << 30)
    return Int32((product + nudge) / (1 << 31))
  }

  /// Returns `RoundingDivideByPOT`: the nearest number, halves away from zero.
  package static func divide(_ x: Int32, byPowerOfTwo exponent: Int32) -> Int32 {
    let mask: Int64 = (1 << Int64(exponent)) - 1
    let remainder = Int64(x) & mask
    let threshold = (mask >> 1) + (x < 0 ? 1 : 0)
    return Int32(Int64(x) >> Int64(exponent)) + (remainder > threshold ? 1 : 0)
  }

  /// Returns `MultiplyByQuantizedMultiplier` with two roundings.
  package static func scale(_ x: Int32, multiplier: Int32, shift: Int32) -> Int32 {
    divide(
      doublingHigh(x &<< max(shift, 0), multiplier), byPowerOfTwo: max(0, -shift))
  }

  /// Returns the multiplier reduced to 16 bits, by which 64-bit numbers are multiplied.
  package static func reduced(_ multiplier: Int32) -> Int32 {
    multiplier < 0x7FFF_0000 ? (multiplier + (1 << 15)) >> 16 : 0x7FFF
  }

  /// Returns `MultiplyByQuantizedMultiplier` for 64-bit numbers, with one rounding.
  package static func scale(_ x: Int64, multiplier: Int32, shift: Int32) -> Int32 {
    let rightShift = Int64(15 - shift)
    let product = x * Int64(reduced(multiplier)) + (1 << (rightShift - 1))
    return Int32(truncatingIfNeeded: product >> rightShift)
  }
}
