import OcellusEngine

/// The types of tensors in the Open Inference Protocol.
enum TensorType: String {
  case bool = "BOOL"
  case uint8 = "UINT8"
  case uint16 = "UINT16"
  case uint32 = "UINT32"
  case uint64 = "UINT64"
  case int8 = "INT8"
  case int16 = "INT16"
  case int32 = "INT32"
  case int64 = "INT64"
  case float16 = "FP16"
  case float32 = "FP32"
  case float64 = "FP64"
  case bfloat16 = "BF16"
  case bytes = "BYTES"

  /// Finds the type of a tensor; `nil` if the protocol has no such type.
  init?(_ type: ElementType) {
    switch type {
    case .bool: self = .bool
    case .uint8: self = .uint8
    case .uint16: self = .uint16
    case .uint32: self = .uint32
    case .uint64: self = .uint64
    case .int8: self = .int8
    case .int16: self = .int16
    case .int32: self = .int32
    case .int64: self = .int64
    case .float16: self = .float16
    case .float32: self = .float32
    case .float64: self = .float64
    case .bfloat16: self = .bfloat16
    case .string: self = .bytes
    default: return nil
    }
  }

  /// The name for a tensor whose type the protocol does not have, too.
  static func name(of type: ElementType) -> String {
    TensorType(type)?.rawValue ?? type.name.uppercased()
  }

  /// The bytes of an element; `nil` for strings.
  var width: Int? {
    switch self {
    case .bool, .uint8, .int8: 1
    case .uint16, .int16, .float16, .bfloat16: 2
    case .uint32, .int32, .float32: 4
    case .uint64, .int64, .float64: 8
    case .bytes: nil
    }
  }

  /// Whether JSON can carry the elements; Triton takes these two as bytes only.
  var hasJSON: Bool { self != .float16 && self != .bfloat16 }
}
