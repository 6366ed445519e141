import OcellusKernelABI

/// Gathers rows by tuples of indices of any type, with one index for every leading axis.
struct IndexedRows<Index: FixedWidthInteger & BitwiseCopyable & SendableMetatype>: Sendable {
  /// The extents of the axes that have an index.
  let extents: [Int]
  let rowBytes: Int
  let gatherRows: @Sendable (GatheringArguments) -> Void

  /// The scratch for the numbers of the rows that are gathered at once.
  static var scratchByteCount: Int { rowsPerCall * MemoryLayout<Int32>.stride }

  private static var rowsPerCall: Int { 1024 }
  private static var rowsBetweenQuestions: Int { 1 << 20 }

  /// Returns whether the indices of `count` rows are in range, or `false` if the run is stopped.
  func areInside(_ indices: UnsafeRawPointer, count: Int, _ workers: WorkersReference) -> Bool {
    var areInside = true
    for (axis, extent) in extents.enumerated() {
      for start in stride(from: 0, to: count, by: Self.rowsBetweenQuestions) {
        // Rows whose indices were not checked must not be gathered.
        if start > 0 && workers.isOver { return false }
        let end = min(start &+ Self.rowsBetweenQuestions, count)
        for row in start..<end where !(0..<extent).contains(index(indices, row, axis)) {
          areInside = false
        }
      }
    }
    return areInside
  }

  /// Copies `count` rows, whose indices are in range, until the run is stopped.
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
    workers.forEachSlice(of: 0..<count, length: Self.rowsPerCall) { slice in
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

  /// Returns whether kernels can read the indices in place.
  private func areNumbersOfRows(_ indices: UnsafeRawPointer) -> Bool {
    Index.self == Int32.self && extents.count == 1
      && Int(bitPattern: indices) % MemoryLayout<Int32>.alignment == 0
  }

  private func index(_ indices: UnsafeRawPointer, _ row: Int, _ axis: Int) -> Int {
    let position = row &* extents.count &+ axis
    // In a file they may be unaligned.
    return Int(
      truncatingIfNeeded: indices.loadUnaligned(
        fromByteOffset: position &* MemoryLayout<Index>.stride, as: Index.self))
  }
}

extension GatheringArguments {
  /// The number of bytes that are copied between two checks for a stopped run.
  private static var bytesAtOnce: Int { 1 << 24 }
  private static var rowsAtOnce: Int { 1 << 20 }

  /// Copies the rows by a kernel, in slices between which the run can be stopped.
  func gather(
    by gatherRows: @Sendable (GatheringArguments) -> Void, _ workers: WorkersReference
  ) {
    // Gathering few rows takes less time than a division.
    if count <= Self.rowsAtOnce && count &* rowBytes <= Self.bytesAtOnce {
      return gatherRows(self)
    }
    if rowBytes > Self.bytesAtOnce { return copyLongRows(workers) }
    let rowsPerCall = min(Self.bytesAtOnce / max(rowBytes, 1), Self.rowsAtOnce)
    workers.forEachSlice(of: 0..<count, length: rowsPerCall) { slice in
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
