package import OcellusKernelABI

/// A tuned implementation of one node for one set of shapes.
package struct Step: Sendable {
  /// What profiles show, such as `gemm u8×s8 6×32`.
  package var kernelName: String
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

  package init(
    kernelName: String, scratchByteCount: Int = 0, flatMoves: [FlatMove] = [],
    onlyMoves: Bool = false, body: @escaping @Sendable (StepContext) -> Void
  ) {
    self.kernelName = kernelName
    self.scratchByteCount = scratchByteCount
    self.flatMoves = flatMoves
    self.onlyMoves = onlyMoves
    self.body = body
  }
}

extension Step {
  /// A step that is nothing but parts, which threads share.
  package init(
    kernelName: String, scratchByteCount: Int = 0, partCount: Int,
    body: @escaping @Sendable (_ step: StepContext, _ part: Int) -> Void
  ) {
    let loop = PartLoop(body)
    self.init(kernelName: kernelName, scratchByteCount: scratchByteCount) { step in
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

/// Where a step finds its memory: looked up once per run, since tensors may move between runs.
///
/// The plan and the session keep alive what is behind the pointers and the workers. To hold on to them here would
/// take small models as long as their arithmetic.
package struct StepContext {
  /// The tensors of the operands.
  let inputs: UnsafePointer<Int>
  /// The tensors of the results.
  let outputs: UnsafePointer<Int>
  /// The address of every tensor of the subgraph.
  let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// 64-byte aligned working memory of at least the size that the step asked for.
  package let scratch: UnsafeMutableRawPointer
  package let workers: WorkersReference

  /// The memory of an operand that has elements.
  package func input(_ position: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(addresses[inputs[position]].unsafelyUnwrapped)
  }

  /// The memory of a result that has elements.
  package func output(_ position: Int) -> UnsafeMutableRawPointer {
    addresses[outputs[position]].unsafelyUnwrapped
  }

  /// Whether the planner has put both ends of a move in one place.
  package func isInPlace(_ move: FlatMove) -> Bool {
    input(move.operand) + move.operandOffset
      == UnsafeRawPointer(output(move.result) + move.resultOffset)
  }
}

/// What an operator sees when it is asked for a tuned step.
///
/// An object, since it is handed on from call to call, and every copy of all that it names would
/// take and give back dozens of references.
package final class PlanContext {
  package let node: NodeSpec
  package let inputShapes: [Shape?]
  package let outputShapes: [Shape]
  /// The operands that keep their value between runs, such as weights.
  package let constants: [TensorView?]
  /// The threads that will share the step's work.
  package let threadCount: Int
  /// How floats are computed; in models that go on to round floats to integers, a bit may become a
  /// step.
  package let numerics: Numerics

  /// What makes an operand; see `source(of:)`.
  private let kernelSet: KernelSet
  private let memory: StepMemory
  private let findSource: (_ operand: Int) -> OperandSource?

  init(
    node: NodeSpec, inputShapes: [Shape?], outputShapes: [Shape], constants: [TensorView?],
    kernels: KernelSet, memory: StepMemory, threadCount: Int, numerics: Numerics,
    findSource: @escaping (_ operand: Int) -> OperandSource?
  ) {
    self.node = node
    self.inputShapes = inputShapes
    self.outputShapes = outputShapes
    self.constants = constants
    kernelSet = kernels
    self.memory = memory
    self.threadCount = threadCount
    self.numerics = numerics
    self.findSource = findSource
  }

  package var kernels: KernelTable { kernelSet.table }

  /// The node that makes an operand for this one alone, whose work a step may do in passing.
  package func source(of operand: Int) -> OperandSource? { findSource(operand) }

  /// Weights in a kernel's layout: made once per model, shared by its interpreters.
  ///
  /// One model may be planned for several shapes: `layout` are the numbers, beside `byteCount`, that
  /// come from shapes and decide where weights are packed to. `pack` fills so many bytes, which are
  /// zero before: when the plan is complete, unless the step is planned by what is in there. Where the
  /// budget does not allow for them, the step that the caller makes is not used.
  package func packedWeights(
    _ purpose: String, layout: [Int] = [], byteCount: Int, isReadWhilePlanning: Bool = false,
    pack: @escaping (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    let block = memory.packedWeights(
      .init(name: purpose, kernels: kernels.name, layout: layout, byteCount: byteCount),
      of: node, byteCount: byteCount, pack: pack)
    if isReadWhilePlanning { memory.packAll() }
    return block
  }

  /// Memory for what a step looks up.
  package func makeTable(byteCount: Int) throws(ModelError) -> PackedBlock {
    try memory.makeTable(byteCount: byteCount, for: node)
  }
}

/// The kernels of an interpreter: a table is too large to be copied for every node.
final class KernelSet: Sendable {
  let table: KernelTable

  init(_ table: KernelTable) { self.table = table }
}

/// A node whose only result has one reader, as that one sees it when it is planned.
package struct OperandSource {
  package let operation: any Operator
  /// Made when somebody asks, since most are not interested in most operators.
  package var context: PlanContext { makeContext() }

  private let makeContext: () -> PlanContext

  init(_ operation: any Operator, context: @escaping () -> PlanContext) {
    self.operation = operation
    makeContext = context
  }
}
