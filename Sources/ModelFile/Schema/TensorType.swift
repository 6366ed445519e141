/// The element types of the schema, with its raw values.
public enum TensorType: Int, Sendable, CaseIterable {
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
  case float8E4M3FN = 21
  case float8E5M2 = 22

  /// The name in lower case, as in NumPy and ml_dtypes: `float32`, `float8_e5m2`.
  public var name: String {
    switch self {
    case .float8E4M3FN: "float8_e4m3fn"
    case .float8E5M2: "float8_e5m2"
    default: "\(self)"
    }
  }

  /// Finds the type with a ``name``.
  package init?(named name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// The number of bits of one element; `nil` for types whose elements have no fixed size.
  public var bitWidth: Int? {
    switch self {
    case .string, .resource, .variant: nil
    case .int2: 2
    case .int4, .uint4: 4
    case .uint8, .bool, .int8, .float8E4M3FN, .float8E5M2: 8
    case .float16, .int16, .uint16, .bfloat16: 16
    case .float32, .int32, .uint32: 32
    case .int64, .complex64, .float64, .uint64: 64
    case .complex128: 128
    }
  }

  /// Returns the size of a tensor of this type; elements smaller than a byte are packed.
  ///
  /// - Returns: `nil` if the type has no fixed size, a dimension is negative, or the size
  ///   overflows.
  public func byteCount(shape: [Int]) -> Int? {
    guard let bitWidth, let count = elementCount(shape) else { return nil }
    guard bitWidth < 8 else {
      let (bytes, overflow) = count.multipliedReportingOverflow(by: bitWidth / 8)
      return overflow ? nil : bytes
    }
    let perByte = 8 / bitWidth
    return count / perByte + (count % perByte == 0 ? 0 : 1)
  }
}

/// Returns the number of elements, 1 for a scalar; `nil` if a dimension is negative or the number
/// overflows.
package func elementCount(_ shape: [Int]) -> Int? {
  var count = 1
  for dimension in shape {
    let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
    guard dimension >= 0, !overflow else { return nil }
    count = product
  }
  return count
}
