import OcellusImaging

/// A matrix view of an output, either row-major or transposed.
struct OutputRows {
  let values: UnsafeBufferPointer<Float>
  /// The number of rows.
  let count: Int
  /// The number of columns.
  let columns: Int
  private let rowStride: Int
  private let columnStride: Int

  /// Creates a view with rows of `columns` numbers; `isTransposed` if the output is column-major.
  ///
  /// - Throws: `VisionError.mismatched` when the output has another shape.
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

  /// Returns the box whose four numbers begin at a column.
  func box(_ layout: BoxLayout, _ row: Int, at column: Int = 0) -> BoundingBox {
    layout.box(values, at: row * rowStride + column * columnStride, stride: columnStride)
  }

  /// Returns the largest number of every row among the given columns, and its index in that range.
  ///
  /// The tensor is read in memory order.
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
  /// Creates a view whose rows are the last dimension of the output.
  init(_ output: OutputTensor) throws(VisionError) {
    try self.init(output, columns: output.shape.last ?? 0)
  }
}
