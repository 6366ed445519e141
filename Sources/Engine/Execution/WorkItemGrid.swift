/// The division of a matrix of results into work items for the threads, by rows or by columns.
struct WorkItemGrid {
  let rowCount: Int
  let columnCount: Int
  /// The number of work items.
  let count: Int
  private let rowStep: Int
  private let columnStep: Int
  private let itemsPerRow: Int
  /// The most rows and columns of one kernel call; longer work items take several calls.
  private let blockRows: Int
  private let blockColumns: Int

  /// The most multiply-adds of one work item, where that is possible.
  ///
  /// Before each work item the thread checks whether the run was stopped.
  static let maximumWorkPerItem = 1 << 30
  /// The limit on work items beyond those that threads need: each may have working memory of its
  /// own.
  private static let maximumItemCount = 64

  /// Divides results that take `multiplyAdds` in all into a few work items for each thread.
  ///
  /// Work items are multiples of the microkernel's `tileRows` or `panelColumns`. `maximumBlockWork`
  /// is the number of multiply-adds after which the thread checks whether the run was stopped; it
  /// is smaller for operations that take more time for a multiply-add than a GEMM.
  init(
    rows: Int, multipleOf tileRows: Int, columns: Int, multipleOf panelColumns: Int,
    multiplyAdds: Int, threadCount: Int, maximumBlockWork: Int = maximumWorkPerItem
  ) {
    (blockRows, blockColumns) = Self.block(
      of: max(multiplyAdds / max(saturatingProduct(rows, columns), 1), 1), columns,
      multipleOf: tileRows, panelColumns, upTo: maximumBlockWork)
    rowCount = rows
    columnCount = columns
    // Signalling a spinning thread and waiting for it takes about a microsecond.
    let isWorthSharing = threadCount > 1 && multiplyAdds > 100_000
    let threadCount = isWorthSharing ? threadCount : 1
    let minimumItemCount = min(multiplyAdds / Self.maximumWorkPerItem + 1, Self.maximumItemCount)
    if rows >= 2 * threadCount * tileRows || columns <= panelColumns {
      rowStep = Self.step(
        rows, multipleOf: tileRows, threadCount: threadCount, minimumItemCount: minimumItemCount)
      columnStep = columns
    } else {
      rowStep = rows
      columnStep = Self.step(
        columns, multipleOf: panelColumns, threadCount: threadCount,
        minimumItemCount: minimumItemCount)
    }
    itemsPerRow = Self.ceil(columns, columnStep)
    count = Self.ceil(rows, rowStep) * itemsPerRow
  }

  /// Returns the rows and columns of one work item.
  subscript(item: Int) -> (rows: Range<Int>, columns: Range<Int>) {
    if count == 1 { return (0..<rowCount, 0..<columnCount) }
    let row = item / itemsPerRow * rowStep, column = item % itemsPerRow * columnStep
    return (
      row..<min(row + rowStep, rowCount), column..<min(column + columnStep, columnCount)
    )
  }

  /// Returns the number of rows of a GEMM that one kernel call takes, where threads do not share
  /// it.
  static func rowsPerCall(depth: Int, columns: Int, multipleOf tileRows: Int) -> Int {
    block(
      of: max(saturatingProduct(depth, columns), 1), 1, multipleOf: tileRows, 1,
      upTo: maximumWorkPerItem
    ).rows
  }

  /// Returns the rows and columns of one block, of results that take `work` multiply-adds each.
  private static func block(
    of work: Int, _ columns: Int, multipleOf tileRows: Int, _ panelColumns: Int,
    upTo longest: Int
  ) -> (rows: Int, columns: Int) {
    let count = max(longest / work, 1)
    let maximumColumns = max(count / tileRows / panelColumns * panelColumns, panelColumns)
    let blockColumns = max(min(maximumColumns, columns), 1)
    return (max(count / blockColumns / tileRows * tileRows, tileRows), blockColumns)
  }

  /// Calls `body` for the blocks of a work item, until the run is stopped.
  ///
  /// A work item that does not take long is a single block.
  @inline(__always)
  func forEachBlock(
    of item: Int, _ workers: WorkersReference,
    _ body: (_ rows: Range<Int>, _ columns: Range<Int>) -> Void
  ) {
    let (rows, columns) = self[item]
    workers.forEachSlice(of: rows, length: blockRows) { rows in
      workers.forEachSlice(of: columns, length: blockColumns) { body(rows, $0) }
    }
  }

  /// Calls `body` for the blocks of all work items, which one thread computes in sequence.
  func forEachBlock(
    _ workers: WorkersReference, _ body: (_ rows: Range<Int>, _ columns: Range<Int>) -> Void
  ) {
    workers.forEachSlice(of: 0..<rowCount, length: blockRows) { rows in
      workers.forEachSlice(of: 0..<columnCount, length: blockColumns) { body(rows, $0) }
    }
  }

  private static func ceil(_ count: Int, _ step: Int) -> Int { (count + step - 1) / step }

  /// Returns the number of rows or columns of a work item.
  ///
  /// With two work items for each thread, the other threads can help a slow one; but one or three
  /// are used where they divide the work more evenly.
  private static func step(
    _ count: Int, multipleOf unit: Int, threadCount: Int, minimumItemCount: Int
  ) -> Int {
    let longest = max(ceil(ceil(count, minimumItemCount), unit) * unit, 1)
    return min(step(count, multipleOf: unit, threadCount: threadCount), longest)
  }

  private static func step(_ count: Int, multipleOf unit: Int, threadCount: Int) -> Int {
    if threadCount == 1 { return max(count, 1) }
    var best = (step: max(count, 1), longest: Int.max)
    for itemsOfThread in [2, 1, 3] {
      let step = max(ceil(ceil(count, itemsOfThread * threadCount), unit) * unit, 1)
      let longest = ceil(ceil(count, step), threadCount) * step
      if longest < best.longest { best = (step, longest) }
    }
    return best.step
  }
}
