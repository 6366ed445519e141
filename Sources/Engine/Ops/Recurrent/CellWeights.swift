/// Weights of a float or hybrid recurrent cell: a matrix, or the diagonal of one.
struct CellWeights {
  private enum Values {
    case floats(UnsafeMutableBufferPointer<Float>)
    /// Includes `uint8`, which the official kernels read as `int8`.
    case integers(UnsafeMutableBufferPointer<Int8>, scale: Float)
  }

  private let values: Values
  /// The order in which float products are added, if not one after the other.
  private let order: LaneProduct.Order?
  private let isDiagonal: Bool
  let rowCount: Int
  let columnCount: Int
  /// Unowned, since the run outlives the weights.
  private unowned(unsafe) let control: RunControl

  /// Creates the weights in an operand, if it is given; one-dimensional weights are a diagonal.
  init?(_ context: RunContext, at position: Int?, _ order: LaneProduct.Order? = nil) {
    guard let position, let tensor = context.optionalInput(position) else { return nil }
    self.init(tensor, spec: context.node.spec.inputs[position], order, context.control)
  }

  /// Creates the weights in an operand whose presence the operator has checked.
  init(_ context: RunContext, required position: Int, _ order: LaneProduct.Order? = nil) {
    self.init(
      context.input(position), spec: context.node.spec.inputs[position], order, context.control)
  }

  private init(
    _ tensor: TensorView, spec: TensorSpec?, _ order: LaneProduct.Order?, _ control: RunControl
  ) {
    self.control = control
    self.order = order
    isDiagonal = tensor.shape.rank < 2
    rowCount = tensor.shape.rank > 0 ? tensor.shape[0] : 1
    columnCount = isDiagonal ? rowCount : tensor.shape[1]
    values =
      tensor.type == .float32
      ? .floats(tensor.values()) : .integers(tensor.values(), scale: spec?.uniformScale ?? 0)
  }

  /// Adds the product of the weights and a vector, unless the run is stopped.
  func multiply(_ vector: CellVector, addingTo sums: UnsafeMutableBufferPointer<Float>) {
    let work = isDiagonal ? 1 : columnCount &+ 4
    for rows in StoppableChunks(of: rowCount, workOfEach: work, control) {
      multiply(vector, addingTo: sums, rows)
    }
  }

  private func multiply(
    _ vector: CellVector, addingTo sums: UnsafeMutableBufferPointer<Float>, _ rows: Range<Int>
  ) {
    switch values {
    case .floats(let weights) where isDiagonal:
      for row in rows { sums[row] += weights[row] * vector.numbers[row] }
    case .integers(let weights, let scale) where isDiagonal:
      for row in rows { sums[row] += scale * Float(weights[row]) * vector.numbers[row] }
    case .floats(let weights) where order != nil:
      multiplyInLanes(weights, vector, addingTo: sums, rows)
    case .floats(let weights):
      for row in rows {
        var sum: Float = 0
        for columns in StoppableChunks(of: columnCount, control) {
          for column in columns {
            sum += vector.numbers[column] * weights[row * columnCount + column]
          }
        }
        sums[row] += sum
      }
    case .integers(let weights, let scale):
      guard let quantization = vector.quantization else { return }
      let zeroPoint = Int32(truncatingIfNeeded: quantization.zeroPoint)
      let scale = scale * quantization.scale
      for row in rows {
        let weights = UnsafeBufferPointer(
          rebasing: weights[row * columnCount..<(row + 1) * columnCount])
        let sum = product(vector.integers, weights, zeroPoint: zeroPoint)
        sums[row] += Float(sum) * scale
      }
    }
  }

  private func multiplyInLanes(
    _ weights: UnsafeMutableBufferPointer<Float>, _ vector: CellVector,
    addingTo sums: UnsafeMutableBufferPointer<Float>, _ rows: Range<Int>
  ) {
    guard let matrix = weights.baseAddress, let numbers = vector.numbers.baseAddress,
      let results = sums.baseAddress
    else { return }
    if order == .accumulated {
      return LaneProduct.accumulate(
        rows, of: matrix, depth: columnCount, times: numbers, in: results)
    }
    LaneProduct.forEach(rows, of: matrix, depth: columnCount, times: numbers) {
      results[$0] = LaneProduct.sum($1, results[$0])
    }
  }

  /// Returns the dot product of a row of weights with numbers less their zero point.
  ///
  /// The products of bytes and the sum of the weights are computed separately, since both can be
  /// vectorized; a number less its zero point does not fit in a byte.
  private func product(
    _ numbers: UnsafeMutableBufferPointer<Int8>, _ weights: UnsafeBufferPointer<Int8>,
    zeroPoint: Int32
  ) -> Int32 {
    var sum: Int32 = 0
    for columns in StoppableChunks(of: columnCount, control) {
      for column in columns { sum &+= Int32(numbers[column]) &* Int32(weights[column]) }
    }
    if zeroPoint == 0 { return sum }
    var weightSum: Int32 = 0
    for columns in StoppableChunks(of: columnCount, control) {
      for column in columns { weightSum &+= Int32(weights[column]) }
    }
    return sum &- zeroPoint &* weightSum
  }
}
