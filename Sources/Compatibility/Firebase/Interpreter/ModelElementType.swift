import OcellusEngine

/// What the numbers of an input or an output are.
public enum ModelElementType: UInt, CaseIterable, Hashable, Sendable {
  /// Not said.
  case unknown = 0
  /// Floats of 32 bits.
  case float32 = 1
  /// Integers of 32 bits.
  case int32 = 2
  /// Bytes.
  case uInt8 = 3
  /// Integers of 64 bits.
  case int64 = 4

  /// The engine's name for it.
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
