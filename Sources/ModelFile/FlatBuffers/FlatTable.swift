/// A verified view of a FlatBuffers table.
///
/// The vtable is checked when the view is made, and each field when it is read, by the rules of the
/// official verifier: fields are aligned to their size relative to the start of the file,
/// references point forward and inside the file, and strings end in a zero byte. A view does not
/// keep its bytes alive.
package struct FlatTable: Sendable {
  /// The deepest nesting of tables, as in the official verifier.
  static let maximumDepth = 64

  package let reader: ByteReader
  /// The position of the table, for messages.
  package let byteOffset: Int
  private let vtableOffset: Int
  private let vtableSize: Int
  private let depth: Int

  /// Verifies the vtable of the table at `byteOffset`.
  init(_ reader: ByteReader, at byteOffset: Int, depth: Int = 0) throws(ModelFileError) {
    guard depth < Self.maximumDepth else {
      throw .tooLarge("tables nested more than \(Self.maximumDepth) deep", at: byteOffset)
    }
    guard byteOffset % 4 == 0 else { throw .malformed("misaligned table", at: byteOffset) }
    let vtable = byteOffset - Int(try reader.load(at: byteOffset, as: Int32.self))
    guard vtable >= 0, vtable % 2 == 0 else {
      throw .malformed("no vtable at byte \(vtable)", at: byteOffset)
    }
    let size = Int(try reader.load(at: vtable, as: UInt16.self))
    guard size % 2 == 0, size <= reader.count - vtable else {
      throw .malformed("vtable of \(size) bytes", at: vtable)
    }
    self.reader = reader
    self.byteOffset = byteOffset
    self.depth = depth
    vtableOffset = vtable
    vtableSize = size
  }

  /// Returns the root table of a FlatBuffer.
  static func root(
    of reader: ByteReader, identifier: StaticString
  ) throws(ModelFileError) -> FlatTable {
    let root = Int(try reader.load(at: 0, as: UInt32.self))
    let found = try reader.slice(at: 4, count: 4)
    let expected = UnsafeRawBufferPointer(start: identifier.utf8Start, count: 4)
    guard found.elementsEqual(expected) else {
      throw .malformed("no \(identifier) file: bytes \(Array(found)) instead", at: 4)
    }
    guard root >= 8 else { throw .malformed("root table inside the header", at: 0) }
    return try FlatTable(reader, at: root)
  }

  /// Returns the position of a field's value; `nil` when the field is absent.
  @inline(__always)
  private func position(of field: Int, size: Int) throws(ModelFileError) -> Int? {
    let entry = 4 &+ 2 &* field
    guard entry < vtableSize else { return nil }
    let distance = Int(try reader.load(at: vtableOffset &+ entry, as: UInt16.self))
    guard distance != 0 else { return nil }
    let position = byteOffset &+ distance
    guard position & (size &- 1) == 0 else {
      throw .malformed("misaligned field \(field)", at: position)
    }
    return position
  }

  package func has(_ field: Int) throws(ModelFileError) -> Bool {
    try position(of: field, size: 1) != nil
  }

  // MARK: Scalars

  @inline(__always)
  package func scalar<Value: FixedWidthInteger>(
    _ field: Int, as type: Value.Type
  ) throws(ModelFileError) -> Value? {
    guard let position = try position(of: field, size: MemoryLayout<Value>.size) else {
      return nil
    }
    return try reader.load(at: position, as: type)
  }

  /// Returns an integer field of any width whose value fits in an `Int`.
  package func integer<Value: FixedWidthInteger>(
    _ field: Int, as type: Value.Type, default: Int = 0
  ) throws(ModelFileError) -> Int {
    guard let value = try scalar(field, as: type) else { return `default` }
    guard let integer = Int(exactly: value) else {
      throw .malformed("field \(field) holds \(value)", at: byteOffset)
    }
    return integer
  }

  package func bool(_ field: Int, default: Bool = false) throws(ModelFileError) -> Bool {
    try scalar(field, as: UInt8.self).map { $0 != 0 } ?? `default`
  }

  package func float(_ field: Int, default: Float = 0) throws(ModelFileError) -> Float {
    try scalar(field, as: UInt32.self).map(Float.init(bitPattern:)) ?? `default`
  }

  // MARK: References

  /// Returns the target of a reference field.
  private func target(of field: Int) throws(ModelFileError) -> Int? {
    guard let position = try position(of: field, size: 4) else { return nil }
    return try reader.flatReference(at: position)
  }

  package func table(_ field: Int) throws(ModelFileError) -> FlatTable? {
    guard let target = try target(of: field) else { return nil }
    return try FlatTable(reader, at: target, depth: depth + 1)
  }

  package func tables(_ field: Int) throws(ModelFileError) -> FlatVector? {
    guard let (start, count) = try vector(field, of: UInt32.self) else { return nil }
    return FlatVector(reader, start: start, count: count, depth: depth + 1)
  }

  package func strings(_ field: Int) throws(ModelFileError) -> FlatVector? { try tables(field) }

  /// Returns a string up to its first zero byte, as the official runtime does.
  ///
  /// Invalid UTF-8 is repaired.
  package func string(_ field: Int) throws(ModelFileError) -> String? {
    guard let target = try target(of: field) else { return nil }
    return try reader.flatString(at: target)
  }

  package func integers<Value: FixedWidthInteger>(
    _ field: Int, as type: Value.Type
  ) throws(ModelFileError) -> [Int]? {
    guard let (start, count) = try vector(field, of: type) else { return nil }
    return try reader.integers(at: start, count: count, as: type)
  }

  package func floats(_ field: Int) throws(ModelFileError) -> [Float]? {
    guard let (start, count) = try vector(field, of: UInt32.self) else { return nil }
    return try reader.floats(at: start, count: count)
  }

  package func bools(_ field: Int) throws(ModelFileError) -> [Bool]? {
    try bytes(field)?.map { $0 != 0 }
  }

  /// Returns a vector of bytes without copying it.
  package func bytes(_ field: Int) throws(ModelFileError) -> UnsafeRawBufferPointer? {
    guard let (start, count) = try vector(field, of: UInt8.self) else { return nil }
    return try reader.slice(at: start, count: count)
  }

  /// Returns the number of elements of a vector or bytes of a string; 0 when it is absent.
  package func count(_ field: Int) throws(ModelFileError) -> Int {
    try vector(field, of: UInt8.self)?.count ?? 0
  }

  func vector<Element>(
    _ field: Int, of type: Element.Type
  ) throws(ModelFileError) -> (start: Int, count: Int)? {
    guard let target = try target(of: field) else { return nil }
    return try reader.flatVector(at: target, of: type)
  }
}
