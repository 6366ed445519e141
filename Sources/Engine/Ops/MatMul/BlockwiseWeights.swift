import OcellusModelFile

/// Weights with a scale for every block of consecutive elements of a row.
package struct BlockwiseWeights: Sendable {
  package let blockSize: Int
  /// The scales of all blocks, row by row.
  package let scales: Float16Elements

  package init(_ weights: TensorSpec, node: NodeSpec) throws(ModelError) {
    guard let quantization = weights.quantization, let record = quantization.blockwise,
      weights.shape.rank == 2, record.blockSize > 0, weights.shape[1] % record.blockSize == 0,
      quantization.blockScales.count == weights.shape.elementCount / record.blockSize
    else { throw node.error("\(weights.label) does not have a scale for each of its blocks") }
    blockSize = record.blockSize
    scales = quantization.blockScales
  }

  /// Multiplies rows of floats, each rounded with a zero point of its own, by the matrix.
  ///
  /// The arithmetic is that of `EvalBlockwise4Bit`, which has no activation.
  package func multiply(
    _ input: UnsafeBufferPointer<Float>, _ weights: UnsafeBufferPointer<Int8>,
    bias: UnsafeBufferPointer<Float>, to output: UnsafeMutableBufferPointer<Float>, depth: Int,
    _ control: RunControl? = nil
  ) {
    let unitCount = weights.count / depth
    var question = StoppableWork(control)
    withUnsafeTemporaryAllocation(of: Int8.self, capacity: depth) { rounded in
      for row in 0..<output.count / unitCount {
        if question.isOver(after: depth) { return }
        let quantization = HybridQuantization.asymmetric(
          UnsafeBufferPointer(rebasing: input[row * depth..<(row + 1) * depth]), to: rounded,
          control)
        for unit in 0..<unitCount {
          if question.isOver(after: 4) { return }
          let (products, weightSum) = sums(
            UnsafeBufferPointer(rounded), weights, unit: unit, &question)
          let result =
            (products - Float(quantization.zeroPoint) * weightSum) * quantization.scale
          output[row * unitCount + unit] = bias.isEmpty ? result : result + bias[unit]
        }
      }
    }
  }

  /// Returns the scaled sums of a weight row's products with the input, and of its weights alone.
  private func sums(
    _ input: UnsafeBufferPointer<Int8>, _ weights: UnsafeBufferPointer<Int8>, unit: Int,
    _ question: inout StoppableWork
  ) -> (products: Float, weights: Float) {
    var sums: (products: Float, weights: Float) = (0, 0)
    let blockCount = input.count / blockSize
    for block in 0..<blockCount {
      // A block of constant weights has at most as many elements as a row.
      if question.isOver(after: blockSize) { return sums }
      var (products, weightSum) = (Int32(0), Int32(0))
      for index in block * blockSize..<(block + 1) * blockSize {
        let weight = Int32(weights[unit * input.count + index])
        products &+= Int32(input[index]) &* weight
        weightSum &+= weight
      }
      let scale = scales[unit * blockCount + block]
      sums.products += Float(products) * scale
      sums.weights += Float(weightSum) * scale
    }
    return sums
  }
}
