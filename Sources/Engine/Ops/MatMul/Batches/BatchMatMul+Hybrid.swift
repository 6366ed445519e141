import OcellusKernelABI

extension BatchMatMul {
  /// Plans all rows times one constant matrix, which is what FULLY_CONNECTED computes.
  ///
  /// - Returns: `nil` for several matrices, and where the official kernel uses the scales of other
  ///   rows.
  func hybridStep(_ products: MatrixPairs, _ context: PlanContext) -> Step? {
    guard let left = context.inputShapes[0], let right = context.inputShapes[1],
      products.pairs.count == 1, !products.transposesLeft,
      products.leftStride == products.depth, products.outputStride == products.columns,
      (0..<left.product(of: 0..<left.rank - 2)).allSatisfy({
        firstQuantization(ofMatrix: $0, left, right) == $0 * left[-2]
      })
    else { return nil }
    let product = MatrixMultiplication(
      patches: PatchGeometry(matrixOf: products.rows, depth: products.depth),
      rowCount: products.rows, itemCount: products.rows, elementsPerItem: products.depth,
      outputChannels: products.columns, groupCount: 1,
      hasChannelsLast: !products.transposesRight)
    return product.step(arithmetic, context)
  }

  /// Multiplies floats, each row rounded to `int8`, by quantized columns.
  func multiplyHybrid(
    _ hybrid: HybridWeights, _ left: TensorView, _ right: TensorView, to output: TensorView,
    _ control: RunControl
  ) {
    let (rowCount, depth) = (left.shape[-2], left.shape[-1])
    let values = UnsafeBufferPointer(left.values(Float.self))
    withUnsafeTemporaryAllocation(of: Int8.self, capacity: values.count) { rounded in
      let quantizations = round(values, to: rounded, rows: left.shape, hybrid, control)
      // If the run was stopped, some rows have no scales.
      guard let quantizations else { return }
      var question = StoppableWork(control)
      forEachPair(
        left.shape, right.shape, output.shape, unless: { control.isOver }
      ) { leftIndex, rightIndex, result in
        let columns = UnsafeBufferPointer(right.matrix(rightIndex).values(Int8.self))
        let results = output.matrix(result).values(Float.self)
        let first = firstQuantization(ofMatrix: leftIndex, left.shape, right.shape)
        let loop = ReferenceLoop(rowsOf: output.shape[-1], depth: depth, control)
        for row in 0..<rowCount {
          if question.isOver(after: depth &* output.shape[-1]) { return }
          let start = (leftIndex * rowCount + row) * depth
          loop.run(
            HybridReference(weights: hybrid, input: quantizations[first + row], bias: nil),
            UnsafeBufferPointer(rebasing: rounded[start..<start + depth]), columns,
            to: results.row(row, output.shape[-1]))
        }
      }
    }
  }

  /// - Returns: the rounding of each row, or `nil` if the run is stopped before the last one.
  private func round(
    _ values: UnsafeBufferPointer<Float>, to rounded: UnsafeMutableBufferPointer<Int8>,
    rows: Shape, _ hybrid: HybridWeights, _ control: RunControl
  ) -> [HybridQuantization]? {
    let depth = rows[-1]
    let count = rows.product(of: 0..<rows.rank - 1)
    var quantizations: [HybridQuantization] = []
    quantizations.reserveCapacity(count)
    for chunk in StoppableChunks(of: count, workOfEach: depth, control) {
      for index in chunk {
        let elements = index * depth..<(index + 1) * depth
        let row = UnsafeBufferPointer(rebasing: values[elements])
        let target = UnsafeMutableBufferPointer(rebasing: rounded[elements])
        quantizations.append(hybrid.round(row, to: target, control))
      }
    }
    return quantizations.count == count ? quantizations : nil
  }

  /// Returns the index at which the official kernel looks up the scales of a matrix's rows.
  ///
  /// It adds up the matrix's indices along the batch axes instead of counting matrices. After the
  /// first batch axis that is longer than 1, it therefore uses the scales of other matrices.
  func firstQuantization(ofMatrix index: Int, _ left: Shape, _ right: Shape) -> Int {
    var extents = left.dimensions.dropLast()
    var rest = index
    var rowCount = extents.removeLast()
    var first = 0
    // The last batch axis belongs to the rows if the right operand does not have it.
    if !transposesLeft, left.rank > 2, right.rank > 2, right[-3] == 1 {
      let extent = extents.removeLast()
      first = rest % extent * rowCount
      rest /= extent
      rowCount *= extent
    }
    while let extent = extents.popLast() {
      first += rest % extent * rowCount
      rest /= extent
    }
    return first
  }
}
