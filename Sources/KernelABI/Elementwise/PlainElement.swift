/// The types of elements that kernels compute with, compare or cast without quantization.
public enum PlainElement: Sendable {
  /// `Float`.
  case float32
  /// A byte, which is true unless it is zero.
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

  /// The size of an element in bytes.
  public var byteCount: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16: 2
    case .float32, .int32: 4
    case .int64: 8
    }
  }
}
