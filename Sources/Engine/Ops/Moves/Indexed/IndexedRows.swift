import OcellusKernelABI

/// Gathers the rows that indices of any type name, each by one for every leading axis.
struct IndexedRows<Index: FixedWidthInteger & BitwiseCopyable & SendableMetatype>: Sendable {
  /// The axes that have an index.
  let extents: [Int]
  let rowBytes: Int
  let gatherRows: @Sendable (GatheringArguments) -> Void

  /// Room for the numbers of as many rows as are gathered at once.
  static var scratchByteCount: Int { rowsAtOnce * MemoryLayout<Int32>.stride }

  private static var rowsAtOnce: Int { 1024 }

  /// Whether the indices of so many rows are in range.
  func areInside(_ indices: UnsafeRawPointer, count: Int) -> Bool {
    var areInside = true
    for (axis, extent) in extents.enumerated() {
      for row in 0..<count where !(0..<extent).contains(index(indices, row, axis)) {
        areInside = false
      }
    }
    return areInside
  }

  /// Copies so many rows, whose indices are in range.
  func gather(
    _ indices: UnsafeRawPointer, count: Int, from source: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer
  ) {
    if areNumbersOfRows(indices) {
      return gatherRows(
        GatheringArguments(
          source: source, target: target, rowBytes: rowBytes,
          rows: indices.assumingMemoryBound(to: Int32.self), count: count))
    }
    let rows = scratch.assumingMemoryBound(to: Int32.self)
    for first in stride(from: 0, to: count, by: Self.rowsAtOnce) {
      let some = min(Self.rowsAtOnce, count - first)
      for row in 0..<some { rows[row] = 0 }
      for (axis, extent) in extents.enumerated() {
        for row in 0..<some {
          rows[row] =
            rows[row] &* Int32(truncatingIfNeeded: extent)
            &+ Int32(truncatingIfNeeded: index(indices, first + row, axis))
        }
      }
      gatherRows(
        GatheringArguments(
          source: source, target: target + first * rowBytes, rowBytes: rowBytes,
          rows: UnsafePointer(rows), count: some))
    }
  }

  /// Whether kernels take the indices as they are.
  private func areNumbersOfRows(_ indices: UnsafeRawPointer) -> Bool {
    Index.self == Int32.self && extents.count == 1
      && Int(bitPattern: indices) % MemoryLayout<Int32>.alignment == 0
  }

  private func index(_ indices: UnsafeRawPointer, _ row: Int, _ axis: Int) -> Int {
    let place = row &* extents.count &+ axis
    // In a file they may lie anywhere.
    return Int(
      truncatingIfNeeded: indices.loadUnaligned(
        fromByteOffset: place &* MemoryLayout<Index>.stride, as: Index.self))
  }
}
