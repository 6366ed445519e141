/// One way through a sequence: which operand it reads, in which order, and where its outputs go.
struct SequencePass: Sendable {
  var isBackward = false
  /// The operand with the rows of inputs.
  var input = 0
  /// The result with the rows of outputs.
  var output = 0
  /// Whether its outputs stand in the same rows as those of the forward pass, behind them.
  var isSecondInRow = false

  /// What a row is charged beside its multiply-adds, of which it may have none.
  private static let rowCost = 1 << 10

  /// Calls `step` for every row in the pass's order and copies the outputs that it returns.
  func run<Output: BitwiseCopyable>(
    _ context: RunContext, _ layout: SequenceLayout,
    _ step: (_ row: Int, _ batch: Int) -> UnsafeMutableBufferPointer<Output>
  ) throws(ModelError) {
    let target = context.output(output)
    let (outputs, rowLength) = (target.values(Output.self), target.shape[-1])
    // Nothing happens to no items, however many steps the file says that takes.
    guard layout.batchCount > 0 else { return }
    try context.charge(
      multiplyAdds: saturatingProduct(layout.stepCount, layout.batchCount, Self.rowCost))
    var question = StoppableWork(context.control)
    for position in 0..<layout.stepCount {
      try context.checkpoint()
      for chunk in context.chunks(of: layout.batchCount, workOfEach: Self.rowCost) {
        for batch in chunk {
          let row = layout.row(
            step: isBackward ? layout.stepCount - 1 - position : position, batch: batch)
          let values = step(row, batch)
          if question.isOver(after: rowLength) { break }
          let start = row * rowLength + (isSecondInRow ? rowLength - values.count : 0)
          for columns in context.chunks(of: values.count) {
            for index in columns { outputs[start + index] = values[index] }
          }
        }
      }
    }
  }
}
