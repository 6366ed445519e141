/// The elements that kernels compute with, compare or cast as they are stored.
public enum PlainElement: Sendable {
  /// `Float`.
  case float32
  /// A byte, which is true where it is not zero.
  case bool
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
    case .bool, .int8, .uint8: 1
    case .int16: 2
    case .float32, .int32: 4
    case .int64: 8
    }
  }
}
