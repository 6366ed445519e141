/// A function of two integers that a kernel applies to rows; overflow wraps.
public enum BinaryIntegerFunction: Sendable {
  /// `a + b`, of 32 and 64 bits.
  case add
  /// `a - b`, of 32 and 64 bits.
  case subtract
  /// `a * b`, of 32 and 64 bits.
  case multiply
  /// `a / b` truncated, of 32 bits; unspecified if `b` is zero.
  case divide
  /// `a / b` rounded down, of 32 bits.
  case floorQuotient
  /// `a - b * floor(a / b)`, of 32 bits.
  case floorRemainder
  /// The greater operand.
  case maximum
  /// The lesser operand.
  case minimum
}

/// The relation of two elements in a comparison.
public enum Relation: Sendable {
  /// `a == b`.
  case equal
  /// `a < b`.
  case less
  /// `a <= b`.
  case lessOrEqual
}
