/// A signed number with a fixed binary point, computed with as gemmlowp does.
///
/// The official quantized kernels are defined through this arithmetic, so every rounding counts.
package struct FixedPoint<Raw: FixedPointStorage>: Sendable, Hashable {
  package var raw: Raw
  /// Bits in front of the point, without the sign; products have those of both factors.
  package var integerBits: Int

  @inline(__always)
  package init(raw: Raw, integerBits: Int) {
    self.raw = raw
    self.integerBits = integerBits
  }

  /// A constant that gemmlowp gives with 32 bits; narrower numbers round it.
  @inline(__always)
  init(constant: Int32, integerBits: Int = 0) {
    let rounded = roundingShiftRight(constant, by: 32 - Raw.bitWidth)
    self.init(raw: Raw(truncatingIfNeeded: rounded), integerBits: integerBits)
  }

  /// One; with no integer bits the largest number below it.
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

  /// The same number with the point elsewhere, rounded or saturated.
  @inline(__always)
  package func rescaled(integerBits: Int) -> Self {
    Self(raw: raw.scaled(byPowerOfTwo: self.integerBits - integerBits), integerBits: integerBits)
  }

  /// This number times a power of two, saturated, with the point where it was.
  @inline(__always)
  func scaled(byPowerOfTwo exponent: Int) -> Self {
    Self(raw: raw.scaled(byPowerOfTwo: exponent), integerBits: integerBits)
  }

  /// This number halved without loss by moving the point.
  @inline(__always)
  var halvedExactly: Self { Self(raw: raw, integerBits: integerBits - 1) }

  /// This number doubled without loss by moving the point.
  @inline(__always)
  var doubledExactly: Self { Self(raw: raw, integerBits: integerBits + 1) }
}

/// The integers that fixed-point numbers are stored in: `Int16` and `Int32`.
package protocol FixedPointStorage: FixedWidthInteger, SignedInteger, Sendable {
  static func saturatingRoundingDoublingHigh(_ a: Self, _ b: Self) -> Self
  /// `(a + b) / 2`, rounded away from zero.
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
  /// This integer times a power of two: saturated to the left, rounded to the right.
  @inline(__always)
  package func scaled(byPowerOfTwo exponent: Int) -> Self {
    guard exponent > 0 else { return roundingShiftRight(self, by: -exponent) }
    let threshold: Self = exponent >= Self.bitWidth - 1 ? 0 : Self.max >> Self(exponent)
    if self > threshold { return .max }
    // The lowest number that would fit is saturated too.
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
