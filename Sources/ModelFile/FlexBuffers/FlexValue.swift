/// A value of FlexBuffers, the schema-less format of custom operators' options.
package indirect enum FlexValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case float(Double)
  case string(String)
  case blob([UInt8])
  case vector([FlexValue])
  case map([String: FlexValue])

  /// Decodes the root value of a buffer.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(ModelFileError) {
    self = try FlexDecoder.root(of: bytes)
  }

  /// The value encoded as a buffer.
  package var encoded: [UInt8] { FlexEncoder.encode(self) }

  /// Returns the value of a key; null if there is none, or this is not a map.
  package subscript(key: String) -> FlexValue {
    guard case .map(let values) = self else { return .null }
    return values[key] ?? .null
  }
}

/// Converts values like the official reader: what is not a number counts as zero.
extension FlexValue {
  package var isNull: Bool { self == .null }

  package var boolean: Bool {
    switch self {
    case .bool(let value): value
    case .float(let value): value != 0
    default: integer != 0
    }
  }

  /// The number rounded towards zero, and clamped to the range of `Int64`.
  package var integer: Int64 {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .uint(let value): Int64(clamping: value)
    case .float(let value): Int64(nearest: value)
    case .string(let text): Int64(text) ?? 0
    case .vector(let elements): Int64(elements.count)
    case .map(let values): Int64(values.count)
    case .null, .blob: 0
    }
  }

  package var number: Double {
    switch self {
    case .uint(let value): Double(value)
    case .float(let value): value
    case .string(let text): Double(text) ?? 0
    default: Double(integer)
    }
  }
}

extension Int64 {
  fileprivate init(nearest value: Double) {
    if let exact = Int64(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : (value < 0 ? .min : .max)
    }
  }
}
