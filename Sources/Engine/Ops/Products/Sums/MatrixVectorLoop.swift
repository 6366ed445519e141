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
    for first in stride(from: 0, to: output.count, by: 4) {
      let rows = min(output.count - first, 4)
      var sums = FourSums(repeating: Arithmetic.zero)
      products.add(
        input, times: weights + first * depth, rows: rows, apart: depth, count: depth, to: &sums)
      for row in 0..<rows { output[first + row] = stage.output(sums[row], channel: first + row) }
    }
  }
}
