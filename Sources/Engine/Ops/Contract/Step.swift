/// A tuned implementation of one node for one set of shapes.
package struct Step: Sendable {
  /// The name that profiles show, such as `depthwise int8 avx2 · direct-windows`.
  package var kernelName: String
  /// The choice of its kernel, where there are several.
  var strategy: StrategyChoice?
  /// The scratch that the step needs while it runs.
  package var scratchByteCount: Int
  /// The contiguous ranges that the step copies unchanged.
  ///
  /// The planner gives source and destination the same address where it can; the step must then
  /// skip the copy (`StepContext.isInPlace`).
  package var flatCopies: [FlatCopy]
  /// Whether the step does nothing but `flatCopies`.
  package var onlyCopies: Bool
  /// Whether there is nothing to do.
  package var isNothing = false
  /// The operand whose source (`PlanContext.source(of:)`) is fused into this step.
  ///
  /// The step finds the source's first operand in place of this one, and the source's other
  /// operands after its own.
  package var fusedOperand: Int?
  /// The same work by ranges of the result, if the step is elementwise.
  var elementwise: ElementwiseWork?
  /// Whether the step can handle the values of these operands.
  ///
  /// If not, the reference kernel runs instead, and throws the error if it cannot either. Steps
  /// with a fused source have no such check.
  package var accepts: (@Sendable (StepContext) -> Bool)?
  package var body: @Sendable (StepContext) -> Void

  /// Creates a step, whose name ends with that of its strategy.
  package init(
    kernelName: String, strategy: StrategyChoice? = nil, scratchByteCount: Int = 0,
    flatCopies: [FlatCopy] = [], onlyCopies: Bool = false,
    body: @escaping @Sendable (StepContext) -> Void
  ) {
    self.kernelName = strategy.map { "\(kernelName) · \($0.name)" } ?? kernelName
    self.strategy = strategy
    self.scratchByteCount = scratchByteCount
    self.flatCopies = flatCopies
    self.onlyCopies = onlyCopies
    self.body = body
  }
}

extension Step {
  /// Makes a step that consists of independent work items, which threads share.
  package init(
    kernelName: String, strategy: StrategyChoice? = nil, scratchByteCount: Int = 0,
    itemCount: Int,
    body: @escaping @Sendable (_ step: StepContext, _ item: Int) -> Void
  ) {
    let loop = WorkItemLoop(body)
    self.init(
      kernelName: kernelName, strategy: strategy, scratchByteCount: scratchByteCount
    ) { step in
      // Dispatching a loop to threads takes as long as the smallest steps.
      if step.workers.threadCount == 1 {
        for item in 0..<itemCount where item == 0 || !step.workers.isOver { body(step, item) }
      } else {
        step.workers.run(itemCount, loop, step)
      }
    }
  }

  /// The step of a node whose results lie in the memory of its operands: nothing to do.
  static let view = nothing("view")

  /// The step of a node that is fused into a later one.
  static let fused = nothing("fused into its reader")

  /// The step of a node that is fused into an earlier one, slice by slice.
  static let link = nothing("fused into a group")

  /// The step of a node that would copy elements but has none.
  static let noElements = nothing("no elements")

  private static func nothing(_ kernelName: String) -> Step {
    var step = Step(kernelName: kernelName) { _ in }
    step.isNothing = true
    return step
  }

  /// Returns the step with the information that it also does the work of an operand's source.
  package func fusing(_ operand: Int) -> Step {
    var step = self
    step.fusedOperand = operand
    return step
  }
}

/// A contiguous range of an operand that becomes a contiguous range of a result.
package struct FlatCopy: Sendable {
  package var operand: Int
  package var operandOffset: Int
  package var result: Int
  package var resultOffset: Int
  package var byteCount: Int
}
