import OcellusModelFile

/// A reader of the fields in a node's options table.
///
/// If the file has no table, or the table of another operator, the official runtime uses options
/// that are all zero, not the schema's defaults; so does this reader.
package struct OptionReader {
  let table: FlatTable?
  let node: NodeSpec

  package var isPresent: Bool { table != nil }

  package func integer<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ field: Int, as type: Stored.Type = Int32.self, default fallback: Int = 0
  ) throws(ModelError) -> Int {
    guard let table else { return 0 }
    return try located { () throws(ModelFileError) in
      try table.integer(field, as: type, default: fallback)
    }
  }

  package func bool(_ field: Int, default fallback: Bool = false) throws(ModelError) -> Bool {
    guard let table else { return false }
    return try located { () throws(ModelFileError) in try table.bool(field, default: fallback) }
  }

  package func float(_ field: Int, default fallback: Float = 0) throws(ModelError) -> Float {
    guard let table else { return 0 }
    return try located { () throws(ModelFileError) in try table.float(field, default: fallback) }
  }

  package func string(_ field: Int) throws(ModelError) -> String? {
    guard let table else { return nil }
    return try located { () throws(ModelFileError) in try table.string(field) }
  }

  package func integers<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ field: Int, as type: Stored.Type = Int32.self
  ) throws(ModelError) -> [Int]? {
    guard let table else { return nil }
    return try located { () throws(ModelFileError) in try table.integers(field, as: type) }
  }

  package func floats(_ field: Int) throws(ModelError) -> [Float]? {
    guard let table else { return nil }
    return try located { () throws(ModelFileError) in try table.floats(field) }
  }

  /// Returns a field that holds one of an enumeration's values.
  package func choice<Choice: RawRepresentable<Int>>(
    _ field: Int, of _: Choice.Type, named name: String
  ) throws(ModelError) -> Choice {
    let value = try integer(field, as: Int8.self)
    guard let choice = Choice(rawValue: value) else {
      throw node.unsupported("\(name) has the unknown value \(value)")
    }
    return choice
  }

  private func located<Value>(
    _ read: () throws(ModelFileError) -> Value
  ) throws(ModelError) -> Value {
    do { return try read() } catch { throw node.error(error.description, .malformed) }
  }
}
