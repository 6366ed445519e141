/// A function of two integers that a kernel applies to rows; what overflows wraps.
public enum BinaryIntegerFunction: Sendable {
  /// `a + b`, of 32 and 64 bits.
  case add
  /// `a - b`, of 32 and 64 bits.
  case subtract
  /// `a * b`, of 32 and 64 bits.
  case multiply
  /// `a / b` of 32 bits without its fraction; nothing that matters where `b` is zero.
  case divide
  /// The same rounded down.
  case floorQuotient
  /// What that leaves of `a`.
  case floorRemainder
  /// The greater one.
  case maximum
  /// The lesser one.
  case minimum
}

/// What a comparison asks of two elements.
public enum Relation: Sendable {
  /// `a == b`.
  case equal
  /// `a < b`.
  case less
  /// `a <= b`.
  case lessOrEqual
}
