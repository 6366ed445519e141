/// Weights of a recurrent cell that computes in floats: a matrix, or the diagonal of one.
struct CellWeights {
  private enum Values {
    case floats(UnsafeMutableBufferPointer<Float>)
    /// `uint8` too: the official kernels read it as `int8`.
    case integers(UnsafeMutableBufferPointer<Int8>, scale: Float)
  }

  private let values: Values
  private let isDiagonal: Bool
  let rowCount: Int
  let columnCount: Int

  /// The weights in an operand, if it is there; weights of one dimension are a diagonal.
  init?(_ context: RunContext, at position: Int?) {
    guard let position, let tensor = context.optionalInput(position) else { return nil }
    self.init(tensor, spec: context.node.spec.inputs[position])
  }

  /// The weights in an operand that `init` of the operator has made sure is there.
  init(_ context: RunContext, required position: Int) {
    self.init(context.input(position), spec: context.node.spec.inputs[position])
  }

  private init(_ tensor: TensorView, spec: TensorSpec?) {
    isDiagonal = tensor.shape.rank < 2
    rowCount = tensor.shape.rank > 0 ? tensor.shape[0] : 1
    columnCount = isDiagonal ? rowCount : tensor.shape[1]
    values =
      tensor.type == .float32
      ? .floats(tensor.values()) : .integers(tensor.values(), scale: spec?.uniformScale ?? 0)
  }

  /// Adds the product of the weights and a vector.
  func multiply(_ vector: CellVector, addingTo sums: UnsafeMutableBufferPointer<Float>) {
    switch values {
    case .floats(let weights) where isDiagonal:
      for row in 0..<rowCount { sums[row] += weights[row] * vector.numbers[row] }
    case .integers(let weights, let scale) where isDiagonal:
      for row in 0..<rowCount { sums[row] += scale * Float(weights[row]) * vector.numbers[row] }
    case .floats(let weights):
      forEachRow(FloatProducts(), vector.numbers, weights) { sums[$0] += $1 }
    case .integers(let weights, let scale):
      guard let quantization = vector.quantization else { return }
      let products = IntegerProducts<Int8, Int8, Int32>(inputZeroPoint: quantization.zeroPoint)
      let scale = scale * quantization.scale
      forEachRow(products, vector.integers, weights) { sums[$0] += Float($1) * scale }
    }
  }

  @inline(__always)
  private func forEachRow<Arithmetic: Products>(
    _ products: Arithmetic, _ vector: UnsafeMutableBufferPointer<Arithmetic.Input>,
    _ weights: UnsafeMutableBufferPointer<Arithmetic.Weight>,
    _ body: (_ row: Int, _ sum: Arithmetic.Sum) -> Void
  ) {
    guard let vector = vector.baseAddress, let weights = weights.baseAddress else { return }
    for row in 0..<rowCount {
      let sum = products.adding(
        vector, times: weights + row * columnCount, count: columnCount, to: Arithmetic.zero)
      body(row, sum)
    }
  }
}
