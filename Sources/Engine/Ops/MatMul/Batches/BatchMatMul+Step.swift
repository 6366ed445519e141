import OcellusKernelABI

extension BatchMatMul {
  /// The largest number of pairs of matrices that is worth listing.
  private static let largestPairCount = 1 << 16
  /// The number of rows from which packing computed 16-bit matrices pays, where the reference
  /// kernel reads their columns contiguously.
  private static let minimumInt16Rows = 4

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let left = context.inputShapes[0], let right = context.inputShapes[1] else { return nil }
    let output = context.outputShapes[0]
    guard output.product(of: 0..<output.rank - 2) <= Self.largestPairCount else { return nil }
    var pairs: [(left: Int, right: Int, output: Int)] = []
    forEachPair(left, right, output) { pairs.append(($0, $1, $2)) }
    let products = MatrixPairs(
      rows: output[-2], depth: left[transposesLeft ? -2 : -1], columns: output[-1],
      transposesLeft: transposesLeft, transposesRight: transposesRight, pairs: pairs)
    // Kernels that mix 8-bit and 16-bit operands take the 8-bit one only on the right.
    let areAlike = context.node.inputs[0]?.type == context.node.inputs[1]?.type
    return step(areAlike ? products.simplified : products.joined, context)
  }

  private func step(_ products: MatrixPairs, _ context: PlanContext) -> Step? {
    switch arithmetic {
    case .float(let range):
      return BatchGEMM.step(
        FloatPairGEMM(context, products, range: range), products, context)
    case .quantized(let requantization) where context.node.inputs[0]?.type == .int16:
      let right = products.swapsOperands ? 0 : 1
      guard
        products.rows >= Self.minimumInt16Rows || !products.transposesRight
          || context.constants[right] != nil,
        let arithmetic = Int16KernelSpec(
          requantization, bias: [], context, channels: products.columns),
        let product = Int16PairGEMM(context, products, arithmetic)
      else { return nil }
      return BatchGEMM.step(product, products, context)
    case .quantized(var requantization):
      if products.swapsOperands {
        swap(&requantization.inputZeroPoint, &requantization.weightZeroPoint)
      }
      guard
        let arithmetic = QuantizedKernelSpec(requantization, context, channels: products.columns)
      else { return nil }
      return BatchGEMM.step(
        QuantizedPairGEMM(context, products, arithmetic), products, context)
    case .plainIntegers:
      return BatchGEMM.step(QuantizedPairGEMM(context, products, nil), products, context)
    case .hybrid(let hybrid):
      return hybridStep(products, context) ?? hybridStepOfPairs(hybrid, context)
    }
  }
}
