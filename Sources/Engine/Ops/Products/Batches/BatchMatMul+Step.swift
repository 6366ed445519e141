import OcellusKernelABI

extension BatchMatMul {
  /// The pairs of matrices beyond which the list of them would be larger than is sensible.
  private static let largestPairCount = 1 << 16

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let left = context.inputShapes[0], let right = context.inputShapes[1] else { return nil }
    let output = context.outputShapes[0]
    guard output.product(of: 0..<output.rank - 2) <= Self.largestPairCount else { return nil }
    var size = PairSize(
      rows: output[-2], depth: left[transposesLeft ? -2 : -1], columns: output[-1])
    var pairs: [MatrixPair] = []
    forEachPair(left, right, output) { pairs.append(.init(left: $0, right: $1, output: $2)) }
    let isOneProduct = pairs.allSatisfy { $0.right == 0 && $0.left == $0.output }
    if isOneProduct && !transposesLeft {
      // The left matrices are one with all their rows.
      size.rows *= pairs.count
      pairs = [pairs[0]]
    }
    pairs.sort { ($0.right, $0.output) < ($1.right, $1.output) }
    return step(size, pairs, context)
  }

  private func step(_ size: PairSize, _ pairs: [MatrixPair], _ context: PlanContext) -> Step? {
    switch arithmetic {
    case .float(let range):
      let kernel = FloatPairProduct(
        context, size, transposesLeft: transposesLeft, transposesRight: transposesRight,
        range: range)
      return BatchProduct.step(kernel, size, pairs, context)
    case .quantized(let requantization):
      guard
        let arithmetic = ByteProductSpec(requantization, context, channels: size.columns)
      else { return nil }
      return quantizedStep(arithmetic, size, pairs, context)
    case .plainIntegers:
      return quantizedStep(nil, size, pairs, context)
    case .hybrid:
      return nil
    }
  }

  private func quantizedStep(
    _ arithmetic: ByteProductSpec?, _ size: PairSize, _ pairs: [MatrixPair],
    _ context: PlanContext
  ) -> Step? {
    let kernel = QuantizedPairProduct(
      context, size, transposesLeft: transposesLeft, transposesRight: transposesRight, arithmetic)
    return BatchProduct.step(kernel, size, pairs, context)
  }
}
