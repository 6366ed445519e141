/// A tuned implementation of one node for one set of shapes.
package struct Step: Sendable {
  /// What profiles show, such as `depthwise int8 avx2 · direct-windows`.
  package var kernelName: String
  /// How it came to its kernel, where there is a choice.
  var strategy: StrategyChoice?
  /// Working memory that the step wants while it runs.
  package var scratchByteCount: Int
  /// The pieces that the step copies as they are: the planner puts both ends in one place where
  /// it can, and the step must then leave them alone (`StepContext.isInPlace`).
  package var flatMoves: [FlatMove]
  /// Whether the step does nothing but `flatMoves`.
  package var onlyMoves: Bool
  /// Whether there is nothing to do.
  package var isNothing = false
  /// The operand whose source (`PlanContext.source(of:)`) has its work done here: the step finds
  /// that one's first operand in its place, and the others behind its own operands.
  package var absorbedOperand: Int?
  /// The same work for a part of the result at a time, where that can be.
  var elementwise: ElementwiseWork?
  /// Whether the step can do what these operands ask for.
  ///
  /// If not, the reference runs instead and says why it cannot either. Not for steps that do
  /// another node's work.
  package var accepts: (@Sendable (StepContext) -> Bool)?
  package var body: @Sendable (StepContext) -> Void

  /// Creates a step, whose name ends with that of its strategy.
  package init(
    kernelName: String, strategy: StrategyChoice? = nil, scratchByteCount: Int = 0,
    flatMoves: [FlatMove] = [], onlyMoves: Bool = false,
    body: @escaping @Sendable (StepContext) -> Void
  ) {
    self.kernelName = strategy.map { "\(kernelName) · \($0.name)" } ?? kernelName
    self.strategy = strategy
    self.scratchByteCount = scratchByteCount
    self.flatMoves = flatMoves
    self.onlyMoves = onlyMoves
    self.body = body
  }
}

extension Step {
  /// A step that is nothing but parts, which threads share.
  package init(
    kernelName: String, strategy: StrategyChoice? = nil, scratchByteCount: Int = 0, partCount: Int,
    body: @escaping @Sendable (_ step: StepContext, _ part: Int) -> Void
  ) {
    let loop = PartLoop(body)
    self.init(
      kernelName: kernelName, strategy: strategy, scratchByteCount: scratchByteCount
    ) { step in
      // The way through a loop that threads share takes as long as the smallest steps.
      if step.workers.threadCount == 1 {
        for part in 0..<partCount where part == 0 || !step.workers.isOver { body(step, part) }
      } else {
        step.workers.run(partCount, loop, step)
      }
    }
  }

  /// What is left of a node whose results lie where its operands do: nothing to do.
  static let view = nothing("view")

  /// What is left of a node whose work a later one does.
  static let part = nothing("fused into its reader")

  /// What is left of a node whose work is done piece by piece in front of it.
  static let link = nothing("fused into a chain")

  /// What is left of a node that would move elements and has none to move.
  static let noElements = nothing("no elements")

  private static func nothing(_ kernelName: String) -> Step {
    var step = Step(kernelName: kernelName) { _ in }
    step.isNothing = true
    return step
  }

  /// The same step, which does the work of an operand's source too.
  package func absorbing(_ operand: Int) -> Step {
    var step = self
    step.absorbedOperand = operand
    return step
  }
}

/// A contiguous piece of an operand that becomes a contiguous piece of a result.
package struct FlatMove: Sendable {
  package var operand: Int
  package var operandOffset: Int
  package var result: Int
  package var resultOffset: Int
  package var byteCount: Int
}
