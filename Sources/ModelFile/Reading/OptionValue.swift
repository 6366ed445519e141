/// The value of a node's option.
public indirect enum OptionValue: Sendable, Hashable {
  /// No value; only custom operators' options have this.
  case null
  /// A boolean.
  case bool(Bool)
  /// An integer, or a member of an enumeration.
  case integer(Int)
  /// A floating-point number.
  case number(Double)
  /// A string.
  case string(String)
  /// Bytes whose meaning is not defined here.
  case bytes([UInt8])
  /// A list of values.
  case list([OptionValue])
  /// Values by names; only custom operators' options have this.
  case map([String: OptionValue])

  init?(_ value: FlatValue) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int8(let value): self = .integer(Int(value))
    case .uint8(let value): self = .integer(Int(value))
    case .int32(let value): self = .integer(Int(value))
    case .uint32(let value): self = .integer(Int(value))
    case .int64(let value): self = .integer(Int(value))
    case .uint64(let value): self = Self(value)
    case .float(let value): self = .number(Double(value))
    case .string(let value): self = .string(value)
    case .bytes(let value, _): self = .bytes(value)
    case .bools(let values): self = .list(values.map { .bool($0) })
    case .uint16s(let values): self = .integers(values)
    case .int32s(let values): self = .integers(values)
    case .uint32s(let values): self = .integers(values)
    case .int64s(let values): self = .integers(values)
    case .floats(let values): self = .list(values.map { .number(Double($0)) })
    case .strings(let values): self = .list(values.map { .string($0) })
    case .table, .tables: return nil
    }
  }

  init(_ value: FlexValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .integer(Int(value))
    case .uint(let value): self = Self(value)
    case .float(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .blob(let value): self = .bytes(value)
    case .vector(let values): self = .list(values.map { Self($0) })
    case .map(let values): self = .map(values.mapValues { Self($0) })
    }
  }

  /// Converts a number that does not fit in `Int` to the nearest floating-point number.
  private init(_ value: UInt64) {
    self = Int(exactly: value).map { .integer($0) } ?? .number(Double(value))
  }

  private static func integers(_ values: [some BinaryInteger]) -> Self {
    .list(values.map { .integer(Int($0)) })
  }
}
