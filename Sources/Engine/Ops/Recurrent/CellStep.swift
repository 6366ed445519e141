/// What a recurrent layer on the tuned kernels computes of one item of the batch, its working
/// memory laid out by itself.
protocol TunedCell: Sendable {
  /// The bytes of a row of inputs, and of a row of outputs.
  var inputBytes: Int { get }
  var outputBytes: Int { get }
  /// The rows of inputs that are multiplied at once.
  var blockRows: Int { get }
  var scratchByteCount: Int { get }

  /// Takes the states of one item of the batch to working memory.
  func begin(_ step: StepContext, batch: Int)
  /// Multiplies some rows with the weights, at most `blockRows`.
  func multiplyInputs(_ step: StepContext, _ first: UnsafeRawPointer, count: Int)
  /// Computes the outputs of one of the rows multiplied last.
  func advance(_ step: StepContext, row: Int, to output: UnsafeMutableRawPointer)
  /// Puts the states back.
  func end(_ step: StepContext, batch: Int)
}

/// The way of a recurrent layer's cells through a sequence.
struct TunedSequence<Cell: TunedCell>: Sendable {
  let cell: Cell
  let pass: SequencePass
  let layout: SequenceLayout
  /// The bytes from one row of results to the next.
  let outputRowBytes: Int

  func run(_ step: StepContext) {
    for batch in 0..<layout.batchCount {
      cell.begin(step, batch: batch)
      for first in stride(from: 0, to: layout.stepCount, by: cell.blockRows) {
        if batch > 0 || first > 0, step.workers.isOver { return }
        run(step, batch: batch, steps: first..<min(first + cell.blockRows, layout.stepCount))
      }
      cell.end(step, batch: batch)
    }
  }

  /// Some steps, counted in the order of the pass.
  private func run(_ step: StepContext, batch: Int, steps: Range<Int>) {
    let (input, output) = (step.input(pass.input), step.output(pass.output))
    let last = layout.stepCount - 1
    let lowest = pass.isBackward ? last - steps.upperBound + 1 : steps.lowerBound
    let firstRow = layout.row(step: lowest, batch: batch)
    cell.multiplyInputs(step, input + firstRow * cell.inputBytes, count: steps.count)
    let offset = pass.isSecondInRow ? outputRowBytes - cell.outputBytes : 0
    for position in 0..<steps.count {
      let row = pass.isBackward ? steps.count - 1 - position : position
      let target = firstRow + row * layout.stepDistance
      cell.advance(step, row: row, to: output + target * outputRowBytes + offset)
    }
  }
}
