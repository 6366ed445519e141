/// Reads the elements of an untrusted FlatBuffer without a schema.
struct FlatBufferBytes {
  let bytes: UnsafeRawBufferPointer

  /// A table with a plausible vtable.
  struct Table {
    let position: Int
    let vtable: Int
    let vtableSize: Int
    let fields: [FlatBufferMap.Field]
  }

  private func read<Word: FixedWidthInteger>(_ position: Int, as: Word.Type) -> Int? {
    guard position >= 0, position <= bytes.count - MemoryLayout<Word>.size else { return nil }
    return Int(Word(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Word.self)))
  }

  /// Returns the target of the offset at a position, if it lies inside the file.
  func target(of position: Int) -> Int? {
    guard let offset = read(position, as: UInt32.self), offset >= 4,
      position + offset <= bytes.count - 4
    else { return nil }
    return position + offset
  }

  /// Returns the count of the vector at a position, if it ends inside the file.
  func count(at position: Int) -> Int? {
    guard let count = read(position, as: UInt32.self), count <= bytes.count - position - 4 else {
      return nil
    }
    return count
  }

  /// Returns the positions of a vector's elements if the first ones point to tables or strings.
  func offsets(at position: Int, count: Int) -> [Int] {
    guard count > 0, count <= (bytes.count - position - 4) / 4 else { return [] }
    let positions = stride(from: position + 4, to: position + 4 + 4 * count, by: 4)
    let looksRight = positions.prefix(4).allSatisfy { element in
      target(of: element).map { table(at: $0) != nil || self.count(at: $0) != nil } ?? false
    }
    return looksRight ? Array(positions) : []
  }

  /// Returns the table at a position, if its vtable is valid.
  func table(at position: Int) -> Table? {
    guard let distance = read(position, as: Int32.self) else { return nil }
    let vtable = position - distance
    guard let vtableSize = read(vtable, as: UInt16.self), vtableSize >= 4,
      vtableSize.isMultiple(of: 2), vtable + vtableSize <= bytes.count,
      let tableSize = read(vtable + 2, as: UInt16.self), tableSize >= 4,
      position + tableSize <= bytes.count
    else { return nil }
    var starts: Set<Int> = []
    for entry in stride(from: vtable + 4, to: vtable + vtableSize, by: 2) {
      guard let start = read(entry, as: UInt16.self), start == 0 || (4..<tableSize).contains(start)
      else { return nil }
      if start > 0 { starts.insert(start) }
    }
    let ends = starts.sorted() + [tableSize]
    let fields = zip(ends, ends.dropFirst()).map { start, end in
      FlatBufferMap.Field(
        position: position + start, size: Self.size(of: end - start, at: position + start))
    }
    return Table(position: position, vtable: vtable, vtableSize: vtableSize, fields: fields)
  }

  /// Returns the largest size of an aligned number that fits in a gap between fields.
  private static func size(of gap: Int, at position: Int) -> Int {
    [8, 4, 2].first { $0 <= gap && position.isMultiple(of: $0) } ?? 1
  }
}
