/// One way through a sequence: which operand it reads, in which order, and where its outputs go.
struct SequencePass: Sendable {
  var isBackward = false
  /// The operand with the rows of inputs.
  var input = 0
  /// The result with the rows of outputs.
  var output = 0
  /// Whether its outputs stand in the same rows as those of the forward pass, behind them.
  var isSecondInRow = false

  /// Calls `step` for every row in the pass's order and copies the outputs that it returns.
  func run<Output: BitwiseCopyable>(
    _ context: RunContext, _ layout: SequenceLayout,
    _ step: (_ row: Int, _ batch: Int) -> UnsafeMutableBufferPointer<Output>
  ) throws(ModelError) {
    let target = context.output(output)
    let (outputs, rowLength) = (target.values(Output.self), target.shape[-1])
    for position in 0..<layout.stepCount {
      try context.checkpoint()
      for batch in 0..<layout.batchCount {
        let row = layout.row(
          step: isBackward ? layout.stepCount - 1 - position : position, batch: batch)
        let values = step(row, batch)
        let start = row * rowLength + (isSecondInRow ? rowLength - values.count : 0)
        for index in values.indices { outputs[start + index] = values[index] }
      }
    }
  }
}
