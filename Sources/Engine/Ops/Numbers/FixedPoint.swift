/// A signed fixed-point number with the arithmetic of gemmlowp.
///
/// The official quantized kernels are defined by this arithmetic, so every rounding matters.
package struct FixedPoint<Raw: FixedPointStorage>: Sendable, Hashable {
  package var raw: Raw
  /// The integer bits, without the sign; a product has the sum of those of its factors.
  package var integerBits: Int

  @inline(__always)
  package init(raw: Raw, integerBits: Int) {
    self.raw = raw
    self.integerBits = integerBits
  }

  /// Creates a constant from gemmlowp's 32-bit form, rounded for 16-bit numbers.
  @inline(__always)
  init(constant: Int32, integerBits: Int = 0) {
    let rounded = roundingShiftRight(constant, by: 32 - Raw.bitWidth)
    self.init(raw: Raw(truncatingIfNeeded: rounded), integerBits: integerBits)
  }

  /// Returns one; without integer bits, the largest number below one.
  @inline(__always)
  static func one(integerBits: Int) -> Self {
    let raw: Raw = integerBits == 0 ? .max : 1 << Raw(Raw.bitWidth - 1 - integerBits)
    return Self(raw: raw, integerBits: integerBits)
  }

  package var fractionalBits: Int { Raw.bitWidth - 1 - integerBits }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self {
    Self(raw: a.raw &+ b.raw, integerBits: a.integerBits)
  }

  @inline(__always)
  static func - (a: Self, b: Self) -> Self {
    Self(raw: a.raw &- b.raw, integerBits: a.integerBits)
  }

  @inline(__always)
  static prefix func - (a: Self) -> Self { Self(raw: 0 &- a.raw, integerBits: a.integerBits) }

  @inline(__always)
  static func * (a: Self, b: Self) -> Self {
    Self(
      raw: Raw.saturatingRoundingDoublingHigh(a.raw, b.raw),
      integerBits: a.integerBits + b.integerBits)
  }

  /// Returns the same number with another binary point, rounded or saturated.
  @inline(__always)
  package func rescaled(integerBits: Int) -> Self {
    Self(raw: raw.scaled(byPowerOfTwo: self.integerBits - integerBits), integerBits: integerBits)
  }

  /// Returns the number times a power of two, saturated, with the same binary point.
  @inline(__always)
  func scaled(byPowerOfTwo exponent: Int) -> Self {
    Self(raw: raw.scaled(byPowerOfTwo: exponent), integerBits: integerBits)
  }

  /// The number halved without loss by moving the binary point.
  @inline(__always)
  var halvedExactly: Self { Self(raw: raw, integerBits: integerBits - 1) }

  /// The number doubled without loss by moving the binary point.
  @inline(__always)
  var doubledExactly: Self { Self(raw: raw, integerBits: integerBits + 1) }
}

/// The integers that fixed-point numbers are stored in: `Int16` and `Int32`.
package protocol FixedPointStorage: FixedWidthInteger, SignedInteger, Sendable {
  static func saturatingRoundingDoublingHigh(_ a: Self, _ b: Self) -> Self
  /// Returns `(a + b) / 2`, rounded away from zero.
  static func roundingHalfSum(_ a: Self, _ b: Self) -> Self
}

extension Int32: FixedPointStorage {
  @inline(__always)
  package static func saturatingRoundingDoublingHigh(_ a: Int32, _ b: Int32) -> Int32 {
    OcellusEngine.saturatingRoundingDoublingHigh(a, b)
  }

  package static func roundingHalfSum(_ a: Int32, _ b: Int32) -> Int32 {
    let sum = Int64(a) + Int64(b)
    return Int32(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
  }
}

extension Int16: FixedPointStorage {
  @inline(__always)
  package static func saturatingRoundingDoublingHigh(_ a: Int16, _ b: Int16) -> Int16 {
    OcellusEngine.saturatingRoundingDoublingHigh(a, b)
  }

  package static func roundingHalfSum(_ a: Int16, _ b: Int16) -> Int16 {
    let sum = Int32(a) + Int32(b)
    return Int16(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
  }
}

extension FixedPointStorage {
  /// Returns the integer times a power of two; saturates to the left and rounds to the right.
  @inline(__always)
  package func scaled(byPowerOfTwo exponent: Int) -> Self {
    guard exponent > 0 else { return roundingShiftRight(self, by: -exponent) }
    let threshold: Self = exponent >= Self.bitWidth - 1 ? 0 : Self.max >> Self(exponent)
    if self > threshold { return .max }
    // As in gemmlowp, the lowest number that would fit is saturated too.
    if self < -threshold { return .min }
    return self << Self(exponent)
  }

  @inline(__always)
  package func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inline(__always)
  package func saturatingSubtracting(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
