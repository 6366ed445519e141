/// A decoder of a FlatBuffer's tables into records, within a budget.
protocol RecordDecoder {
  var budget: DecodingBudget { get set }
}

extension RecordDecoder {
  /// Decodes a vector of tables; errors name the record.
  mutating func records<Record>(
    of vector: FlatVector?, named name: StaticString,
    _ decode: (inout Self, FlatTable, Int) throws(ModelFileError) -> Record
  ) throws(ModelFileError) -> [Record] {
    guard let vector else { return [] }
    var records: [Record] = []
    records.reserveCapacity(vector.count)
    for index in vector.indices {
      do throws(ModelFileError) {
        let table = try vector[index]
        try budget.chargeTable(at: table.byteOffset)
        do throws(ModelFileError) {
          records.append(try decode(&self, table, index))
        } catch {
          throw error.at(unlessPlaced: table.byteOffset)
        }
      } catch {
        throw error.inside("\(name) \(index)")
      }
    }
    return records
  }

  mutating func string(_ table: FlatTable, _ field: Int) throws(ModelFileError) -> String? {
    guard let (start, count) = try table.vector(field, of: UInt8.self) else { return nil }
    try budget.chargeElements(count, at: start)
    return try table.reader.flatString(from: start, count: count)
  }

  mutating func strings(_ table: FlatTable, _ field: Int) throws(ModelFileError) -> [String] {
    guard let vector = try table.strings(field) else { return [] }
    var strings: [String] = []
    for index in vector.indices {
      let string = try vector[string: index]
      try budget.chargeElements(string.utf8.count + 1, at: table.byteOffset)
      strings.append(string)
    }
    return strings
  }

  mutating func integers<Value: FixedWidthInteger>(
    _ table: FlatTable, _ field: Int, as type: Value.Type
  ) throws(ModelFileError) -> [Int]? {
    guard let (start, count) = try table.vector(field, of: type) else { return nil }
    try budget.chargeElements(count, at: start)
    return try table.reader.integers(at: start, count: count, as: type)
  }

  mutating func floats(_ table: FlatTable, _ field: Int) throws(ModelFileError) -> [Float] {
    guard let (start, count) = try table.vector(field, of: UInt32.self) else { return [] }
    try budget.chargeElements(count, at: start)
    return try table.reader.floats(at: start, count: count)
  }
}
