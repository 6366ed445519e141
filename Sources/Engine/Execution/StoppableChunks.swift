/// The indices of a long loop, chunk by chunk, until the run that the loop belongs to is stopped.
///
/// Plain loops are written in two levels, `for chunk in chunks { for index in chunk { … } }`, so that no tensor is too large
/// for a budget's time: between two chunks the run is asked, and the inner loop stays one that the compiler can
/// vectorise. What a stopped loop leaves undone is never seen, because the run throws behind the step.
package struct StoppableChunks: Sequence, IteratorProtocol {
  /// What is done between two questions, in elements that take a few nanoseconds each.
  private static let workOfChunk = StoppableWork.workBetweenQuestions

  /// The run outlives the loop.
  private unowned(unsafe) let control: RunControl?
  private let count: Int
  private let length: Int
  private var position = 0

  /// The chunks of `0..<count`.
  ///
  /// `workOfEach` says how much is done for one index: 1 for an element that takes a few nanoseconds, the length of a row
  /// where the loop is over rows.
  package init(of count: Int, workOfEach work: Int = 1, _ control: RunControl?) {
    self.control = control
    self.count = count
    length = Swift.max(Self.workOfChunk / Swift.max(work, 1), 1)
  }

  /// The chunks of bytes that are copied as they are.
  package init(ofBytes count: Int, _ control: RunControl?) {
    self.control = control
    self.count = count
    length = 1 << 24
  }

  package mutating func next() -> Range<Int>? {
    guard position < count, position == 0 || control?.isOver != true else { return nil }
    let start = position
    position = Swift.min(start + length, count)
    return start..<position
  }
}

extension TensorView {
  /// The indices of a loop over the tensor, or over as many rows, that ends early when the run is stopped.
  package func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }
}

extension RunContext {
  /// The indices of a loop that ends early when the run is stopped.
  package func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }
}
