/// How the threads share a matrix of results: in parts of some rows or of some columns.
struct PartGrid {
  let rowCount: Int
  let columnCount: Int
  /// The number of parts.
  let count: Int
  private let rowStep: Int
  private let columnStep: Int
  private let partsOfColumns: Int
  /// What kernels are given at once at the most, of parts that would take too long.
  private let blockRows: Int
  private let blockColumns: Int

  /// What one part takes at the most, where that is possible: in front of each somebody asks whether
  /// the run is to be stopped.
  static let longestPart = 1 << 30
  /// Parts beyond those that threads want: each may have working memory of its own.
  private static let mostParts = 64

  /// Divides results that take `multiplyAdds` into some parts a thread: multiples of `tileRows` or
  /// `panelColumns`, which kernels compute at once.
  ///
  /// `longestBlock` says after how much of them somebody asks whether the run is to be stopped: less where they are not
  /// those of a matrix product, which takes the least time for them.
  init(
    rows: Int, multipleOf tileRows: Int, columns: Int, multipleOf panelColumns: Int,
    multiplyAdds: Int, threadCount: Int, longestBlock: Int = longestPart
  ) {
    (blockRows, blockColumns) = Self.block(
      of: max(multiplyAdds / max(saturatingProduct(rows, columns), 1), 1), columns,
      multipleOf: tileRows, panelColumns, upTo: longestBlock)
    rowCount = rows
    columnCount = columns
    // Telling a thread that spins, and waiting for it, takes about a microsecond.
    let isWorthSharing = threadCount > 1 && multiplyAdds > 100_000
    let threadCount = isWorthSharing ? threadCount : 1
    let leastParts = min(multiplyAdds / Self.longestPart + 1, Self.mostParts)
    if rows >= 2 * threadCount * tileRows || columns <= panelColumns {
      rowStep = Self.step(
        rows, multipleOf: tileRows, threadCount: threadCount, leastParts: leastParts)
      columnStep = columns
    } else {
      rowStep = rows
      columnStep = Self.step(
        columns, multipleOf: panelColumns, threadCount: threadCount, leastParts: leastParts)
    }
    partsOfColumns = Self.ceil(columns, columnStep)
    count = Self.ceil(rows, rowStep) * partsOfColumns
  }

  /// The rows and columns of one part.
  subscript(part: Int) -> (rows: Range<Int>, columns: Range<Int>) {
    if count == 1 { return (0..<rowCount, 0..<columnCount) }
    let row = part / partsOfColumns * rowStep, column = part % partsOfColumns * columnStep
    return (
      row..<min(row + rowStep, rowCount), column..<min(column + columnStep, columnCount)
    )
  }

  /// The rows of a matrix product that a kernel is given at once, where nobody shares them.
  static func rowsAtOnce(depth: Int, columns: Int, multipleOf tileRows: Int) -> Int {
    block(
      of: max(saturatingProduct(depth, columns), 1), 1, multipleOf: tileRows, 1, upTo: longestPart
    ).rows
  }

  /// The rows and columns of blocks, of results that take so much each.
  private static func block(
    of work: Int, _ columns: Int, multipleOf tileRows: Int, _ panelColumns: Int,
    upTo longest: Int
  ) -> (rows: Int, columns: Int) {
    let count = max(longest / work, 1)
    let widest = max(count / tileRows / panelColumns * panelColumns, panelColumns)
    let blockColumns = max(min(widest, columns), 1)
    return (max(count / blockColumns / tileRows * tileRows, tileRows), blockColumns)
  }

  /// Calls `body` for the rows and columns of a part, or for blocks of them that do not take long, until the run is
  /// stopped.
  @inline(__always)
  func forEachBlock(
    of part: Int, _ workers: WorkersReference,
    _ body: (_ rows: Range<Int>, _ columns: Range<Int>) -> Void
  ) {
    let (rows, columns) = self[part]
    workers.forEachSlice(of: rows, length: blockRows) { rows in
      workers.forEachSlice(of: columns, length: blockColumns) { body(rows, $0) }
    }
  }

  /// The same for all parts, where they are one after the other.
  func forEachBlock(
    _ workers: WorkersReference, _ body: (_ rows: Range<Int>, _ columns: Range<Int>) -> Void
  ) {
    workers.forEachSlice(of: 0..<rowCount, length: blockRows) { rows in
      workers.forEachSlice(of: 0..<columnCount, length: blockColumns) { body(rows, $0) }
    }
  }

  private static func ceil(_ count: Int, _ step: Int) -> Int { (count + step - 1) / step }

  /// How many rows or columns a part has: with two parts a thread one that is late is helped out,
  /// but with another number all may have the same to do.
  private static func step(
    _ count: Int, multipleOf unit: Int, threadCount: Int, leastParts: Int
  ) -> Int {
    let longest = max(ceil(ceil(count, leastParts), unit) * unit, 1)
    return min(step(count, multipleOf: unit, threadCount: threadCount), longest)
  }

  private static func step(_ count: Int, multipleOf unit: Int, threadCount: Int) -> Int {
    if threadCount == 1 { return max(count, 1) }
    var best = (step: max(count, 1), longest: Int.max)
    for partsOfThread in [2, 1, 3] {
      let step = max(ceil(ceil(count, partsOfThread * threadCount), unit) * unit, 1)
      let longest = ceil(ceil(count, step), threadCount) * step
      if longest < best.longest { best = (step, longest) }
    }
    return best.step
  }
}
