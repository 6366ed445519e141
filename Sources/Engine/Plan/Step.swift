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
  /// What is left of a node whose results lie where its operands do: nothing to do.
  static let view = Step(kernelName: "view") { _ in }
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
package struct StepContext {
  let node: Node
  let bases: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// 64-byte aligned working memory of at least the size that the step asked for.
  package let scratch: UnsafeMutableRawPointer
  package let workers: Workers

  /// The memory of an operand that has elements.
  package func input(_ position: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(bases[node.inputs[position]].unsafelyUnwrapped)
  }

  /// The memory of a result that has elements.
  package func output(_ position: Int) -> UnsafeMutableRawPointer {
    bases[node.outputs[position]].unsafelyUnwrapped
  }

  /// Whether the planner has put both ends of a move in one place.
  package func isInPlace(_ move: FlatMove) -> Bool {
    input(move.operand) + move.operandOffset
      == UnsafeRawPointer(output(move.result) + move.resultOffset)
  }
}

/// What an operator sees when it is asked for a tuned step.
package struct PlanContext {
  package let node: NodeSpec
  package let inputShapes: [Shape?]
  package let outputShapes: [Shape]
  /// The operands that keep their value between runs, such as weights.
  package let constants: [TensorView?]
  package let kernels: KernelTable
  package let packed: PackedWeights
  /// The threads that will share the step's work.
  package let threadCount: Int
  /// Whether float sums should have the very bits of the reference: in models that go on to round
  /// floats to integers, a bit may become a step.
  package let wantsReferenceBits: Bool

  /// Weights in a kernel's layout: made once per model, shared by its interpreters.
  package func packedWeights(
    _ purpose: String, make: () -> PackedBlock
  ) -> PackedBlock {
    packed.block(
      .init(
        subgraph: node.subgraph, node: node.index, purpose: purpose, kernels: kernels.name),
      make: make)
  }
}
