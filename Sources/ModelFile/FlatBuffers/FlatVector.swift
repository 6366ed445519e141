/// A verified vector of tables or strings; each element is verified on access.
package struct FlatVector: Sendable {
  package let count: Int
  private let reader: ByteReader
  private let start: Int
  private let depth: Int

  init(_ reader: ByteReader, start: Int, count: Int, depth: Int) {
    self.reader = reader
    self.start = start
    self.count = count
    self.depth = depth
  }

  package var indices: Range<Int> { 0..<count }

  package subscript(index: Int) -> FlatTable {
    get throws(ModelFileError) {
      precondition(indices.contains(index), "FlatVector index out of range")
      return try FlatTable(reader, at: reader.flatReference(at: start + 4 * index), depth: depth)
    }
  }

  /// Returns the string at an index of a vector of strings.
  package subscript(string index: Int) -> String {
    get throws(ModelFileError) {
      precondition(indices.contains(index), "FlatVector index out of range")
      return try reader.flatString(at: reader.flatReference(at: start + 4 * index))
    }
  }
}
