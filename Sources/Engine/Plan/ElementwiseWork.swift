/// The work of an elementwise step, which can compute any range of its only result by itself.
///
/// Each element depends on the operands' elements at the same index, or on operands that every
/// range reads as a whole.
package struct ElementwiseWork: Sendable {
  /// The number of elements of the result.
  var elementCount: Int
  /// The granularity: ranges begin at multiples of this number of elements.
  var unit = 1
  /// The most elements that one call of `run` computes, because it cannot be stopped.
  var longestSlice = Step.longestSlice
  /// The size of one element of the result.
  var resultBytes: Int
  /// The size of one element of each operand; 0 for operands that every range reads as a whole.
  var operandBytes: [Int]
  /// The scratch of each work item.
  var scratchByteCount = 0
  /// The preparation that runs once, before all ranges.
  var preparation: Preparation?
  /// Computes a range of elements; the step's own scratch holds the prepared data.
  var run:
    @Sendable (StepContext, _ elements: Range<Int>, _ scratch: UnsafeMutableRawPointer) -> Void

  /// Data that all ranges read besides the operands.
  struct Preparation: Sendable {
    var byteCount: Int
    /// Fills the first `byteCount` bytes of the step's scratch.
    var run: @Sendable (StepContext) -> Void
  }

  /// Whether at least one operand is read at the index at which the result is written.
  var followsOperands: Bool { operandBytes.contains { $0 > 0 } }
}

extension Step {
  /// Makes a step that consists of elementwise work alone and needs no scratch, split into work
  /// items for the threads where there is enough to do.
  init(kernelName: String, _ work: ElementwiseWork, threadCount: Int) {
    let count = work.elementCount
    // Waking a thread and waiting for it takes as long as some thousand elements.
    let isShared = threadCount > 1 && count >= 1 << 14
    let itemCount = isShared ? 2 * threadCount : 1
    let evenLength = (count + itemCount - 1) / itemCount
    // Work items start at cache line boundaries.
    let length = (evenLength + 63) / 64 * 64
    self.init(kernelName: kernelName, itemCount: (count + length - 1) / length) { step, item in
      let elements = item * length..<min((item + 1) * length, count)
      step.workers.forEachSlice(of: elements, length: work.longestSlice) {
        work.run(step, $0, step.scratch)
      }
    }
    elementwise = work
  }
}
