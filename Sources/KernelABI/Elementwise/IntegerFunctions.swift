/// A function of two integers that a kernel applies to rows; what overflows wraps.
public enum BinaryIntegerFunction: Sendable {
  /// `a + b`, of 32 and 64 bits.
  case add
  /// `a - b`, of 32 and 64 bits.
  case subtract
  /// `a * b`, of 32 and 64 bits.
  case multiply
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

/// The elements that kernels compute with, or compare, as they are stored.
public enum PlainElement: Sendable {
  /// `Float`.
  case float32
  /// `Int8`.
  case int8
  /// `UInt8`.
  case uint8
  /// `Int16`.
  case int16
  /// `Int32`.
  case int32
  /// `Int64`.
  case int64

  /// The bytes of one.
  public var byteCount: Int {
    switch self {
    case .int8, .uint8: 1
    case .int16: 2
    case .float32, .int32: 4
    case .int64: 8
    }
  }
}
