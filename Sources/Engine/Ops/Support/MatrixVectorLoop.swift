/// The product of a matrix with one row of inputs.
struct MatrixVectorLoop: ProductLoop {
  let depth: Int

  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum {
    guard let input = input.baseAddress, let weights = weights.baseAddress else {
      for unit in output.indices { output[unit] = stage.output(Arithmetic.zero, channel: unit) }
      return
    }
    for unit in output.indices {
      let sum = products.adding(
        input, times: weights + unit * depth, count: depth, to: Arithmetic.zero)
      output[unit] = stage.output(sum, channel: unit)
    }
  }
}
