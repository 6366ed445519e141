/// Reads fields whose type is known only at run time.
extension FlatTable {
  /// Returns the value of a field; `nil` when the field is absent.
  func value(_ field: Int, _ kind: FlatKind) throws(ModelFileError) -> FlatValue? {
    switch kind {
    case .bool: try scalar(field, as: UInt8.self).map { .bool($0 != 0) }
    case .int8: try scalar(field, as: Int8.self).map { .int8($0) }
    case .uint8: try scalar(field, as: UInt8.self).map { .uint8($0) }
    case .int32: try scalar(field, as: Int32.self).map { .int32($0) }
    case .uint32: try scalar(field, as: UInt32.self).map { .uint32($0) }
    case .int64: try scalar(field, as: Int64.self).map { .int64($0) }
    case .uint64: try scalar(field, as: UInt64.self).map { .uint64($0) }
    case .float: try scalar(field, as: UInt32.self).map { .float(Float(bitPattern: $0)) }
    case .string: try string(field).map { .string($0) }
    case .bytes: try bytes(field).map { .bytes(Array($0)) }
    case .bools: try bools(field).map { .bools($0) }
    case .uint16s: try elements(field, as: UInt16.self).map { .uint16s($0) }
    case .int32s: try elements(field, as: Int32.self).map { .int32s($0) }
    case .uint32s: try elements(field, as: UInt32.self).map { .uint32s($0) }
    case .int64s: try elements(field, as: Int64.self).map { .int64s($0) }
    case .floats: try floats(field).map { .floats($0) }
    }
  }

  /// Checks a field, and returns the number of elements of a vector or string, or 0 for other
  /// types.
  func verify(_ field: Int, _ kind: FlatKind) throws(ModelFileError) -> Int {
    switch kind {
    case .bool, .int8, .uint8: _ = try scalar(field, as: UInt8.self)
    case .int32, .uint32, .float: _ = try scalar(field, as: UInt32.self)
    case .int64, .uint64: _ = try scalar(field, as: UInt64.self)
    case .string: return try string(field)?.utf8.count ?? 0
    case .bytes, .bools: return try count(field)
    case .uint16s: return try vector(field, of: UInt16.self)?.count ?? 0
    case .int32s, .uint32s, .floats: return try vector(field, of: UInt32.self)?.count ?? 0
    case .int64s: return try vector(field, of: UInt64.self)?.count ?? 0
    }
    return 0
  }

  private func elements<Value: FixedWidthInteger>(
    _ field: Int, as type: Value.Type
  ) throws(ModelFileError) -> [Value]? {
    try integers(field, as: type)?.map { Value(truncatingIfNeeded: $0) }
  }
}
