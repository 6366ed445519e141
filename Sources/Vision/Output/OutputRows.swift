import OcellusImaging

/// Rows of numbers in an output, whichever way round they lie.
struct OutputRows {
  let values: UnsafeBufferPointer<Float>
  /// The number of rows.
  let count: Int
  /// The number of columns.
  let columns: Int
  private let rowStride: Int
  private let columnStride: Int

  /// Rows of `columns` numbers; `isTransposed` when the rows' numbers lie apart, as columns.
  ///
  /// - Throws: when the output's shape is another.
  init(_ output: OutputTensor, columns: Int, isTransposed: Bool = false) throws(VisionError) {
    guard columns > 0, output.shape.last == (isTransposed ? output.count / columns : columns) else {
      throw .mismatched("the output '\(output.name)' has no \(columns) numbers for each place")
    }
    values = output.values
    self.columns = columns
    count = output.count / columns
    (rowStride, columnStride) = isTransposed ? (1, count) : (columns, 1)
  }

  subscript(row: Int, column: Int) -> Float { values[row * rowStride + column * columnStride] }

  /// The box whose four numbers begin at a column.
  func box(_ layout: BoxLayout, _ row: Int, at column: Int = 0) -> BoundingBox {
    layout.box(values, at: row * rowStride + column * columnStride, stride: columnStride)
  }

  /// The largest number of every row among these columns, and where it stands, from 0.
  ///
  /// Goes through the tensor in the order in which it lies.
  func best(_ columns: Range<Int>) -> (scores: [Float], categories: [Int]) {
    var scores = [Float](repeating: -.infinity, count: count)
    var categories = [Int](repeating: 0, count: count)
    func look(_ row: Int, _ column: Int) {
      let value = self[row, column]
      if value > scores[row] {
        scores[row] = value
        categories[row] = column - columns.lowerBound
      }
    }
    if rowStride == 1 {
      for column in columns { for row in 0..<count { look(row, column) } }
    } else {
      for row in 0..<count { for column in columns { look(row, column) } }
    }
    return (scores, categories)
  }
}

extension OutputRows {
  /// Rows as the last extent of the output has them.
  init(_ output: OutputTensor) throws(VisionError) {
    try self.init(output, columns: output.shape.last ?? 0)
  }
}
