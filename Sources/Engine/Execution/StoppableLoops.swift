/// The indices of a long loop in chunks, until the loop's run is stopped.
///
/// Plain loops have two levels, `for chunk in chunks { for index in chunk { … } }`, so that no
/// tensor is too large for a budget's time. Between two chunks the loop checks whether the run was
/// stopped, and the compiler can still vectorise the inner loop. Nobody sees what a stopped loop
/// left undone, because the run throws after the step.
package struct StoppableChunks: Sequence, IteratorProtocol {
  /// The work between two checks, in elements that take a few nanoseconds each.
  private static let workOfChunk = StoppableWork.workBetweenPolls

  /// The run outlives the loop.
  private unowned(unsafe) let control: RunControl?
  private let count: Int
  private let length: Int
  private var position = 0

  /// Makes the chunks of `0..<count`.
  ///
  /// `workOfEach` is the work for one index: 1 for an element that takes a few nanoseconds, the
  /// length of a row for a loop over rows.
  package init(of count: Int, workOfEach work: Int = 1, _ control: RunControl?) {
    self.control = control
    self.count = count
    length = Swift.max(Self.workOfChunk / Swift.max(work, 1), 1)
  }

  /// Makes the chunks of bytes that are copied unchanged.
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
  /// Returns the indices of a loop over a tensor's elements or rows that ends early when the run is
  /// stopped.
  package func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }
}

extension RunContext {
  /// Returns the indices of a loop that ends early when the run is stopped.
  package func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }
}

/// A counter for loops whose work differs from index to index.
///
/// It checks now and then whether the run was stopped, so that the rest may be skipped.
package struct StoppableWork {
  /// The work between two checks, in elements that take a few nanoseconds each.
  static let workBetweenPolls = 1 << 16

  /// The run outlives the loop.
  private unowned(unsafe) let control: RunControl?
  private var left = workBetweenPolls
  private var isStopped = false

  package init(_ control: RunControl?) { self.control = control }

  /// Counts work that was done, and returns whether the run was stopped.
  @inline(__always)
  package mutating func isOver(after work: Int = 1) -> Bool {
    left &-= work
    return left <= 0 && ask()
  }

  /// Checks whether the run was stopped.
  ///
  /// Then `left` stays at or below zero, and every later call of `isOver` returns true as well.
  @inline(never)
  private mutating func ask() -> Bool {
    if !isStopped { isStopped = control?.isOver == true }
    if !isStopped { left = Self.workBetweenPolls }
    return isStopped
  }
}

/// Calls `body` for the indices of a loop, in chunks only if there is much work.
///
/// This is for loops that are often short.
@inline(__always)
package func forEachChunk(
  of count: Int, workOfEach work: Int = 1, _ control: @autoclosure () -> RunControl?,
  _ body: (Range<Int>) -> Void
) {
  if count <= (1 << 12) / max(work, 1) { return body(0..<count) }
  for chunk in StoppableChunks(of: count, workOfEach: work, control()) { body(chunk) }
}

extension WorkersReference {
  /// Returns the indices of a loop that ends early when the run is stopped.
  func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }

  /// Calls `body` for a range slice by slice, until the run is stopped.
  ///
  /// A single kernel call for the whole range might take seconds. A range that is no longer than
  /// `length` is passed on at once, even an empty one.
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
  /// Copies bytes, of which there may be any number, until the run is stopped.
  @inline(__always)
  package func copyMemory(
    from source: UnsafeRawPointer, byteCount: Int, unless isOver: @autoclosure () -> Bool
  ) {
    let sliceLength = 1 << 24
    if byteCount <= sliceLength { return copyMemory(from: source, byteCount: byteCount) }
    var start = 0
    repeat {
      (self + start).copyMemory(
        from: source + start, byteCount: min(sliceLength, byteCount - start))
      start += sliceLength
    } while start < byteCount && !isOver()
  }

  /// Sets bytes to zero, of which there may be any number, until the run is stopped.
  @inline(__always)
  package func clear(byteCount: Int, unless isOver: @autoclosure () -> Bool) {
    let sliceLength = 1 << 24
    var start = 0
    repeat {
      (self + start).initializeMemory(
        as: UInt8.self, repeating: 0, count: min(sliceLength, byteCount - start))
      start += sliceLength
    } while start < byteCount && !isOver()
  }
}
