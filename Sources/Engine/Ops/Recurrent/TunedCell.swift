/// The computation of a recurrent layer for one item of the batch on the tuned kernels.
///
/// A cell lays out its scratch memory itself.
protocol TunedCell: Sendable {
  /// The sizes in bytes of one row of inputs and of one row of outputs.
  var inputBytes: Int { get }
  var outputBytes: Int { get }
  /// The number of rows of inputs in one GEMM.
  var blockRows: Int { get }
  var scratchByteCount: Int { get }

  /// Copies the states of one item of the batch to scratch memory.
  func begin(_ step: StepContext, batch: Int)
  /// Multiplies some rows, at most `blockRows`, by the weights.
  func multiplyInputs(_ step: StepContext, _ first: UnsafeRawPointer, count: Int)
  /// Computes the outputs of one of the rows that were multiplied last.
  func advance(
    _ step: StepContext, row: Int, batch: Int, to output: UnsafeMutableRawPointer)
  /// Copies the states back.
  func end(_ step: StepContext, batch: Int)
}

/// The pass of a recurrent layer's cells over a sequence.
struct TunedSequence<Cell: TunedCell>: Sendable {
  let cell: Cell
  let pass: SequencePass
  let layout: SequenceLayout
  /// The distance in bytes between rows of results.
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

  /// Runs a range of steps, counted in the order of the pass.
  private func run(_ step: StepContext, batch: Int, steps: Range<Int>) {
    let (input, output) = (step.input(pass.input), step.output(pass.output))
    let last = layout.stepCount - 1
    let lowest = pass.isBackward ? last - steps.upperBound + 1 : steps.lowerBound
    let firstRow = layout.row(step: lowest, batch: batch)
    cell.multiplyInputs(step, input + firstRow * cell.inputBytes, count: steps.count)
    let offset = pass.followsForwardOutputs ? outputRowBytes - cell.outputBytes : 0
    for position in 0..<steps.count {
      let row = pass.isBackward ? steps.count - 1 - position : position
      let target = firstRow + row * layout.stepDistance
      cell.advance(
        step, row: row, batch: batch, to: output + target * outputRowBytes + offset)
    }
  }
}
