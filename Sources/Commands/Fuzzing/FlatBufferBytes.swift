/// Reads the building blocks of a FlatBuffer without a schema and without trust.
struct FlatBufferBytes {
  let bytes: UnsafeRawBufferPointer

  /// A table whose vtable makes sense.
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

  /// Where the offset at a position points to, if that is inside the file.
  func target(of position: Int) -> Int? {
    guard let offset = read(position, as: UInt32.self), offset >= 4,
      position + offset <= bytes.count - 4
    else { return nil }
    return position + offset
  }

  /// The count of a vector that ends inside the file.
  func count(at position: Int) -> Int? {
    guard let count = read(position, as: UInt32.self), count <= bytes.count - position - 4 else {
      return nil
    }
    return count
  }

  /// The positions of a vector's elements if its first ones point to tables or strings.
  func offsets(at position: Int, count: Int) -> [Int] {
    guard count > 0, count <= (bytes.count - position - 4) / 4 else { return [] }
    let positions = stride(from: position + 4, to: position + 4 + 4 * count, by: 4)
    let looksRight = positions.prefix(4).allSatisfy { element in
      target(of: element).map { table(at: $0) != nil || self.count(at: $0) != nil } ?? false
    }
    return looksRight ? Array(positions) : []
  }

  /// The table at a position, if its vtable describes one.
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

  /// The largest number that fits a gap and is aligned in it.
  private static func size(of gap: Int, at position: Int) -> Int {
    [8, 4, 2].first { $0 <= gap && position.isMultiple(of: $0) } ?? 1
  }
}
