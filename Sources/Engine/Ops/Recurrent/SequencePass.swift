/// A pass over a sequence: its operand, its order and its result.
struct SequencePass: Sendable {
  var isBackward = false
  /// The operand with the rows of inputs.
  var input = 0
  /// The result with the rows of outputs.
  var output = 0
  /// Whether its outputs follow those of the forward pass in the same rows.
  var followsForwardOutputs = false

  /// The cost of a row besides its multiply-adds, of which it may have none.
  private static let rowCost = 1 << 10

  /// Calls `step` for every row in the order of the pass and copies the outputs that it returns.
  func run<Output: BitwiseCopyable>(
    _ context: RunContext, _ layout: SequenceLayout,
    _ step: (_ row: Int, _ batch: Int) -> UnsafeMutableBufferPointer<Output>
  ) throws(ModelError) {
    let target = context.output(output)
    let (outputs, rowLength) = (target.values(Output.self), target.shape[-1])
    // Without items there is nothing to do, however many steps the file declares.
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
          let start = row * rowLength + (followsForwardOutputs ? rowLength - values.count : 0)
          for columns in context.chunks(of: values.count) {
            for index in columns { outputs[start + index] = values[index] }
          }
        }
      }
    }
  }
}
