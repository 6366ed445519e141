/// The positions of a FlatBuffer's structural bytes: offsets, counts, vtables and scalar fields.
///
/// The walk knows no schema. It follows whatever looks like a table, a vector or a string. If it
/// takes a number for an offset by mistake, that only adds a position to mutate.
package struct FlatBufferMap {
  /// Positions of the 32-bit offsets to tables, vectors and strings.
  package private(set) var offsets: [Int] = []
  /// Positions of the 32-bit element counts of vectors and strings.
  package private(set) var counts: [Int] = []
  /// Fields and elements of small vectors that hold numbers.
  package private(set) var scalars: [Field] = []
  /// Positions of the 16-bit entries of vtables, sizes included.
  package private(set) var vtableEntries: [Int] = []
  /// Positions of the tables.
  package private(set) var tables: [Int] = []

  /// A number in the file.
  package struct Field: Equatable {
    let position: Int
    let size: Int

    package init(position: Int, size: Int) {
      self.position = position
      self.size = size
    }
  }

  /// The size in bytes above which a vector is data, whose elements are not mutated singly.
  private static let smallVector = 64
  private static let siteLimit = 200_000
  private var visited: Set<Int> = []

  package init(of bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      let file = FlatBufferBytes(bytes: bytes)
      guard let root = file.target(of: 0) else { return }
      offsets.append(0)
      var pending = [root]
      while let position = pending.popLast(), offsets.count + scalars.count < Self.siteLimit {
        guard visited.insert(position).inserted, let table = file.table(at: position) else {
          continue
        }
        visit(table, in: file, pending: &pending)
      }
    }
  }

  private mutating func visit(
    _ table: FlatBufferBytes.Table, in file: FlatBufferBytes, pending: inout [Int]
  ) {
    tables.append(table.position)
    if visited.insert(table.vtable).inserted {
      let entries = stride(from: table.vtable, to: table.vtable + table.vtableSize, by: 2)
      vtableEntries += entries
    }
    for field in table.fields {
      guard field.size >= 4, let target = file.target(of: field.position),
        follow(target, in: file, pending: &pending)
      else {
        scalars.append(field)
        continue
      }
      offsets.append(field.position)
    }
  }

  /// Records the target of a presumed offset; returns `false` for neither a table nor a vector.
  private mutating func follow(
    _ target: Int, in file: FlatBufferBytes, pending: inout [Int]
  ) -> Bool {
    if file.table(at: target) != nil {
      pending.append(target)
      return true
    }
    guard let count = file.count(at: target) else { return false }
    if visited.insert(target).inserted {
      counts.append(target)
      let elements = file.offsets(at: target, count: count)
      for element in elements {
        offsets.append(element)
        if let table = file.target(of: element) { pending.append(table) }
      }
      if elements.isEmpty, count <= Self.smallVector {
        let end = target + 4 + count
        scalars += stride(from: target + 4, to: end, by: 4).map { position in
          Field(position: position, size: end - position >= 4 ? 4 : 1)
        }
      }
    }
    return true
  }
}
