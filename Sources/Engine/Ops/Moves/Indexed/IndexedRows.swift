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
    workers.forEachSlice(of: 0..<count, length: Self.rowsAtOnce) { slice in
      for row in 0..<slice.count { rows[row] = 0 }
      for (axis, extent) in extents.enumerated() {
        for row in 0..<slice.count {
          rows[row] =
            rows[row] &* Int32(truncatingIfNeeded: extent)
            &+ Int32(truncatingIfNeeded: index(indices, slice.lowerBound + row, axis))
        }
      }
      GatheringArguments(
        source: source, target: target + slice.lowerBound * rowBytes, rowBytes: rowBytes,
        rows: UnsafePointer(rows), count: slice.count
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
    // Few rows are gathered sooner than a number is divided.
    if count <= Self.mostRowsAtOnce && count &* rowBytes <= Self.bytesAtOnce {
      return gatherRows(self)
    }
    if rowBytes > Self.bytesAtOnce { return copyLongRows(workers) }
    let rowsAtOnce = min(Self.bytesAtOnce / max(rowBytes, 1), Self.mostRowsAtOnce)
    workers.forEachSlice(of: 0..<count, length: rowsAtOnce) { slice in
      gatherRows(
        GatheringArguments(
          source: source, target: target + slice.lowerBound * rowBytes, rowBytes: rowBytes,
          rows: rows + slice.lowerBound, count: slice.count))
    }
  }

  private func copyLongRows(_ workers: WorkersReference) {
    workers.forEachSlice(of: 0..<count, length: 1) { slice in
      let row = slice.lowerBound
      (target + row * rowBytes).copyMemory(
        from: source + Int(rows[row]) * rowBytes, byteCount: rowBytes, unless: workers.isOver)
    }
  }
}
