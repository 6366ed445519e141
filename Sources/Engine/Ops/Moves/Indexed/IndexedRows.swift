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
  private static var rowsBetweenQuestions: Int { 1 << 20 }

  /// Whether the indices of so many rows are in range, as far as the run was not stopped.
  func areInside(_ indices: UnsafeRawPointer, count: Int, _ workers: WorkersReference) -> Bool {
    var areInside = true
    for (axis, extent) in extents.enumerated() {
      for start in stride(from: 0, to: count, by: Self.rowsBetweenQuestions) {
        // Rows that nobody has looked at must not be gathered.
        if start > 0 && workers.isOver { return false }
        let end = min(start &+ Self.rowsBetweenQuestions, count)
        for row in start..<end where !(0..<extent).contains(index(indices, row, axis)) {
          areInside = false
        }
      }
    }
    return areInside
  }

  /// Copies so many rows, whose indices are in range, until the run is stopped.
  func gather(
    _ indices: UnsafeRawPointer, count: Int, from source: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer,
    _ workers: WorkersReference
  ) {
    if areNumbersOfRows(indices) {
      return GatheringArguments(
        source: source, target: target, rowBytes: rowBytes,
        rows: indices.assumingMemoryBound(to: Int32.self), count: count
      ).gather(by: gatherRows, workers)
    }
    let rows = scratch.assumingMemoryBound(to: Int32.self)
    for first in stride(from: 0, to: count, by: Self.rowsAtOnce)
    where first == 0 || !workers.isOver {
      let some = min(Self.rowsAtOnce, count - first)
      for row in 0..<some { rows[row] = 0 }
      for (axis, extent) in extents.enumerated() {
        for row in 0..<some {
          rows[row] =
            rows[row] &* Int32(truncatingIfNeeded: extent)
            &+ Int32(truncatingIfNeeded: index(indices, first + row, axis))
        }
      }
      GatheringArguments(
        source: source, target: target + first * rowBytes, rowBytes: rowBytes,
        rows: UnsafePointer(rows), count: some
      ).gather(by: gatherRows, workers)
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

extension GatheringArguments {
  /// What is copied between two questions whether the run is stopped.
  private static var bytesAtOnce: Int { 1 << 24 }
  private static var mostRowsAtOnce: Int { 1 << 20 }

  /// Copies the rows by a kernel, so many at a time that the run can be stopped in between.
  func gather(
    by gatherRows: @Sendable (GatheringArguments) -> Void, _ workers: WorkersReference
  ) {
    if rowBytes > Self.bytesAtOnce { return copyLongRows(workers) }
    let rowsAtOnce = min(Self.bytesAtOnce / max(rowBytes, 1), Self.mostRowsAtOnce)
    if count <= rowsAtOnce { return gatherRows(self) }
    for first in stride(from: 0, to: count, by: rowsAtOnce) where first == 0 || !workers.isOver {
      gatherRows(
        GatheringArguments(
          source: source, target: target + first * rowBytes, rowBytes: rowBytes,
          rows: rows + first, count: min(rowsAtOnce, count - first)))
    }
  }

  private func copyLongRows(_ workers: WorkersReference) {
    for row in 0..<count where row == 0 || !workers.isOver {
      (target + row * rowBytes).copyMemory(
        from: source + Int(rows[row]) * rowBytes, byteCount: rowBytes, unless: workers.isOver)
    }
  }
}
