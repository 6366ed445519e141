package import OcellusModelFile

/// The type of a tensor's elements, with the raw values of the file format's schema.
public enum ElementType: Int, Sendable, Hashable, CaseIterable {
  case float32 = 0
  case float16 = 1
  case int32 = 2
  case uint8 = 3
  case int64 = 4
  case string = 5
  case bool = 6
  case int16 = 7
  case complex64 = 8
  case int8 = 9
  case float64 = 10
  case complex128 = 11
  case uint64 = 12
  case resource = 13
  case variant = 14
  case uint32 = 15
  case uint16 = 16
  case int4 = 17
  case bfloat16 = 18
  case int2 = 19
  case uint4 = 20

  package init?(_ type: TensorType) {
    self.init(rawValue: type.rawValue)
  }

  /// The name in listings, test cases and `.npy` headers, such as `float32`.
  public var name: String { Self.names[rawValue] }

  /// The names as constants: looking up a case's name at run time takes longer than planning a
  /// layer.
  private static let names = [
    "float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16", "complex64", "int8",
    "float64", "complex128", "uint64", "resource", "variant", "uint32", "uint16", "int4",
    "bfloat16", "int2", "uint4",
  ]

  /// The number of bits that one element takes; `nil` where elements vary in size (`string`,
  /// `variant`).
  public var bitWidth: Int? {
    switch self {
    case .int2: 2
    case .int4, .uint4: 4
    case .uint8, .int8, .bool: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32, .resource: 32
    case .float64, .int64, .uint64, .complex64: 64
    case .complex128: 128
    case .string, .variant: nil
    }
  }

  /// The distance in bytes from one element to the next; `nil` for packed and variable-sized
  /// elements.
  public var byteWidth: Int? {
    guard let bitWidth, bitWidth >= 8 else { return nil }
    return bitWidth / 8
  }

  /// Returns the bytes that `count` elements take; packed types are rounded up to a whole byte.
  ///
  /// - Returns: `nil` for variable-sized elements.
  public func byteCount(ofElements count: Int) -> Int? {
    guard let bitWidth else { return nil }
    if bitWidth >= 8 { return count * (bitWidth / 8) }
    let perByte = 8 / bitWidth
    return (count + perByte - 1) / perByte
  }

  /// Whether elements are integers, which a quantization can map to real numbers.
  public var isInteger: Bool {
    switch self {
    case .int2, .int4, .uint4, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      true
    default: false
    }
  }
}
