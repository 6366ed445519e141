import OcellusEngine

/// The element type of an input or an output.
public enum ModelElementType: UInt, CaseIterable, Hashable, Sendable {
  /// An unspecified type.
  case unknown = 0
  /// 32-bit floats.
  case float32 = 1
  /// 32-bit signed integers.
  case int32 = 2
  /// Unsigned bytes.
  case uInt8 = 3
  /// 64-bit signed integers.
  case int64 = 4

  /// The corresponding type of the engine.
  var tensorType: ElementType? {
    switch self {
    case .unknown: nil
    case .float32: .float32
    case .int32: .int32
    case .uInt8: .uint8
    case .int64: .int64
    }
  }
}
