import OcellusModelFile

/// The bounds of products of matrices.
struct MatrixBounds {
  let options: OperatorOptions
  let format: BoundsArithmetic.Factors

  init(_ node: OperatorRecord, _ arithmetic: BoundsArithmetic) {
    options = OperatorOptions(node)
    format = arithmetic.factors
  }

  func fullyConnected(
    _ input: Intervals, _ weights: Intervals, _ biases: Intervals?, output: [Int]
  ) -> Intervals? {
    // Another format of weights is one that shuffles bytes.
    guard weights.shape.count == 2, options.integer("weights_format") == 0,
      let clamp = options.clamp
    else { return nil }
    let (columnCount, depth) = (weights.shape[0], weights.shape[1])
    guard depth > 0, input.count.isMultiple(of: depth),
      biases == nil || biases?.count == columnCount
    else { return nil }
    let values = ProductSums.Rows(input, format)
    let sums = ProductSums(
      ProductSums.Rows(weights, format), depth: depth, columnCount: columnCount, biases: biases
    ) { column, position in column * depth + position }
    var result = Intervals(shape: output)
    guard result.count == input.count / depth * columnCount else { return nil }
    for row in 0..<input.count / depth {
      values.withRow(row * depth..<(row + 1) * depth) { centers, magnitudes in
        sums.bounds(centers, magnitudes, termCount: depth) { column, interval in
          result[row * columnCount + column] = interval.clamped(to: clamp)
        }
      }
    }
    return result
  }

  func batchMultiplication(_ a: Intervals, _ b: Intervals, output: [Int]) -> Intervals? {
    let (rank, isLeftTransposed) = (output.count, options.flag("adj_x"))
    guard rank >= 2, a.shape.count >= 2, b.shape.count >= 2, rank <= 32 else { return nil }
    let (rowCount, columnCount) = (output[rank - 2], output[rank - 1])
    let depth = a.shape[a.shape.count - (isLeftTransposed ? 2 : 1)]
    guard rowCount * depth * columnCount > 0 else { return Intervals(shape: output) }
    guard
      Self.isMatrix(a.shape, rowCount, depth, isTransposed: isLeftTransposed),
      Self.isMatrix(b.shape, depth, columnCount, isTransposed: options.flag("adj_y"))
    else { return nil }
    let left = ProductSums.Rows(a, format)
    let right = ProductSums.Rows(b, format)
    let outer = Array(output[..<(rank - 2)])
    let places = [a, b].map { Broadcasting(Array($0.shape.dropLast(2)), to: outer) }
    guard let leftPlaces = places[0], let rightPlaces = places[1] else { return nil }
    var result = Intervals(shape: output)
    for batch in 0..<outer.reduce(1, *) {
      let leftStart = leftPlaces.source(of: batch) * rowCount * depth
      let rightStart = rightPlaces.source(of: batch) * columnCount * depth
      let isRightTransposed = options.flag("adj_y")
      let sums = ProductSums(right, depth: depth, columnCount: columnCount, biases: nil) {
        column, position in
        rightStart
          + (isRightTransposed ? column * depth + position : position * columnCount + column)
      }
      for row in 0..<rowCount {
        var rows = ProductSums.Rows(count: depth)
        for position in 0..<depth {
          let source =
            leftStart + (isLeftTransposed ? position * rowCount + row : row * depth + position)
          rows.centers[position] = left.centers[source]
          rows.magnitudes[position] = left.magnitudes[source]
        }
        let start = (batch * rowCount + row) * columnCount
        rows.withRow(0..<depth) { centers, magnitudes in
          sums.bounds(centers, magnitudes, termCount: depth) { result[start + $0] = $1 }
        }
      }
    }
    return result
  }

  private static func isMatrix(
    _ shape: [Int], _ rows: Int, _ columns: Int, isTransposed: Bool
  ) -> Bool {
    Array(shape.suffix(2)) == (isTransposed ? [columns, rows] : [rows, columns])
  }
}

extension ProductSums.Rows {
  /// Shows some of the factors.
  func withRow(
    _ range: Range<Int>,
    _ body: (UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>) -> Void
  ) {
    centers.withUnsafeBufferPointer { centers in
      magnitudes.withUnsafeBufferPointer { magnitudes in
        body(
          UnsafeBufferPointer(rebasing: centers[range]),
          UnsafeBufferPointer(rebasing: magnitudes[range]))
      }
    }
  }
}
