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

/// A count of what is done, where no loop has the same to do for every index: the run is asked now and then whether
/// the rest may be left out.
package struct StoppableWork {
  /// What is done between two questions, in elements that take a few nanoseconds each.
  static let workBetweenQuestions = 1 << 16

  /// The run outlives the loop.
  private unowned(unsafe) let control: RunControl?
  private var left = workBetweenQuestions
  private var isStopped = false

  package init(_ control: RunControl?) { self.control = control }

  /// Takes down that so much is done, and says whether the run was stopped.
  @inline(__always)
  package mutating func isOver(after work: Int = 1) -> Bool {
    left &-= work
    return left <= 0 && ask()
  }

  /// `left` stays at or below zero once the run was stopped, so that every later call says so too.
  @inline(never)
  private mutating func ask() -> Bool {
    if !isStopped { isStopped = control?.isOver == true }
    if !isStopped { left = Self.workBetweenQuestions }
    return isStopped
  }
}

/// Calls `body` for the indices of a loop that may be short many times: chunk by chunk only where there is much
/// to do.
@inline(__always)
package func forEachChunk(
  of count: Int, workOfEach work: Int = 1, _ control: @autoclosure () -> RunControl?,
  _ body: (Range<Int>) -> Void
) {
  if count <= (1 << 12) / max(work, 1) { return body(0..<count) }
  for chunk in StoppableChunks(of: count, workOfEach: work, control()) { body(chunk) }
}

extension WorkersReference {
  /// The indices of a loop that ends early when the run is stopped.
  func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }

  /// Calls `body` for a range piece by piece, until the run is stopped: one kernel call for everything might take
  /// seconds.
  ///
  /// A range that is no longer than a piece is handed on at once, even an empty one.
  @inline(__always)
  func forEachSlice(of range: Range<Int>, length: Int, _ body: (Range<Int>) -> Void) {
    var start = range.lowerBound
    repeat {
      let end = range.upperBound - start > length ? start + length : range.upperBound
      body(start..<end)
      start = end
    } while start < range.upperBound && !isOver
  }
}

extension UnsafeMutableRawPointer {
  /// Copies bytes, as many as there may be, until the run is stopped.
  @inline(__always)
  package func copyMemory(
    from source: UnsafeRawPointer, byteCount: Int, unless isOver: @autoclosure () -> Bool
  ) {
    let most = 1 << 24
    if byteCount <= most { return copyMemory(from: source, byteCount: byteCount) }
    var start = 0
    repeat {
      (self + start).copyMemory(from: source + start, byteCount: min(most, byteCount - start))
      start += most
    } while start < byteCount && !isOver()
  }

  /// Sets bytes to zero, as many as there may be, until the run is stopped.
  @inline(__always)
  package func clear(byteCount: Int, unless isOver: @autoclosure () -> Bool) {
    let most = 1 << 24
    var start = 0
    repeat {
      (self + start).initializeMemory(
        as: UInt8.self, repeating: 0, count: min(most, byteCount - start))
      start += most
    } while start < byteCount && !isOver()
  }
}
