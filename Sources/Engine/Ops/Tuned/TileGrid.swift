/// How the threads share a matrix of results: in parts of some rows or of some columns.
struct TileGrid {
  let rowCount: Int
  let columnCount: Int
  /// The number of parts.
  let count: Int
  private let rowStep: Int
  private let columnStep: Int
  private let partsOfColumns: Int

  /// Divides results that take `multiplyAdds` into about two parts a thread: multiples of
  /// `tileRows` or `panelColumns`, which kernels compute at once.
  init(
    rows: Int, multipleOf tileRows: Int, columns: Int, multipleOf panelColumns: Int,
    multiplyAdds: Int, threadCount: Int
  ) {
    rowCount = rows
    columnCount = columns
    // Telling a thread that spins, and waiting for it, takes about a microsecond.
    let isWorthSharing = threadCount > 1 && multiplyAdds > 100_000
    let parts = isWorthSharing ? 2 * threadCount : 1
    if rows >= parts * tileRows || columns <= panelColumns {
      rowStep = Self.step(rows, parts: parts, multipleOf: tileRows)
      columnStep = columns
    } else {
      rowStep = rows
      columnStep = Self.step(columns, parts: parts, multipleOf: panelColumns)
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

  private static func ceil(_ count: Int, _ step: Int) -> Int { (count + step - 1) / step }

  private static func step(_ count: Int, parts: Int, multipleOf unit: Int) -> Int {
    max(ceil(ceil(count, parts), unit) * unit, 1)
  }
}
