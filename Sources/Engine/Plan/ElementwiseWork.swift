/// The work of a step that can make parts of its only result by themselves.
///
/// Each element comes from what operands have in the same place, or from operands that every part
/// reads as a whole.
package struct ElementwiseWork: Sendable {
  /// The elements of the result.
  var elementCount: Int
  /// Parts begin at multiples of so many elements.
  var unit = 1
  /// What an element of the result takes.
  var resultBytes: Int
  /// What an element of each operand takes; 0 for operands that parts read as a whole.
  var operandBytes: [Int]
  /// Working memory of each part.
  var scratchByteCount = 0
  /// What is done once, before all parts.
  var preparation: Preparation?
  /// Makes some elements; the step's own working memory is what was prepared.
  var run:
    @Sendable (StepContext, _ elements: Range<Int>, _ scratch: UnsafeMutableRawPointer) -> Void

  /// What all parts read beside the operands.
  struct Preparation: Sendable {
    var byteCount: Int
    /// Fills so much of the step's working memory.
    var run: @Sendable (StepContext) -> Void
  }

  /// Whether all operands are read where the result is written.
  var followsOperands: Bool { operandBytes.contains { $0 > 0 } }
}

extension Step {
  /// A step that is nothing but such work, without working memory, in parts for the threads where there is
  /// enough to do.
  init(kernelName: String, _ work: ElementwiseWork, threadCount: Int) {
    let count = work.elementCount
    // Telling a thread and waiting for it takes as long as some thousand elements.
    let isShared = threadCount > 1 && count >= 1 << 14
    let parts = isShared ? 2 * threadCount : 1
    let part = (count + parts - 1) / parts
    // Parts that start at the edges of cache lines.
    let length = (part + 63) / 64 * 64
    self.init(kernelName: kernelName, partCount: (count + length - 1) / length) { step, part in
      let elements = part * length..<min((part + 1) * length, count)
      step.workers.forEachSlice(of: elements, length: Self.longestSlice) {
        work.run(step, $0, step.scratch)
      }
    }
    elementwise = work
  }
}
