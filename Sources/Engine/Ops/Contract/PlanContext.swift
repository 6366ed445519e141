package import OcellusKernelABI

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
  /// The operands whose values are known as long as the plan holds: constants, and what shapes decide.
  package let knownValues: [TensorView?]
  /// The threads that will share the step's work.
  package let threadCount: Int
  /// How floats are computed; in models that go on to round floats to integers, a bit may become a
  /// step.
  package let numerics: Numerics
  /// Variables and tables that outlive a run.
  package let resources: ResourceTable

  /// What makes an operand; see `source(of:)`.
  private let kernelSet: KernelSet
  private let memory: StepMemory
  private let findSource: (_ operand: Int) -> OperandSource?

  init(
    node: NodeSpec, inputShapes: [Shape?], outputShapes: [Shape], constants: [TensorView?],
    knownValues: [TensorView?], kernels: KernelSet, memory: StepMemory, threadCount: Int,
    numerics: Numerics, resources: ResourceTable,
    findSource: @escaping (_ operand: Int) -> OperandSource?
  ) {
    self.node = node
    self.inputShapes = inputShapes
    self.outputShapes = outputShapes
    self.constants = constants
    self.knownValues = knownValues
    kernelSet = kernels
    self.memory = memory
    self.threadCount = threadCount
    self.numerics = numerics
    self.resources = resources
    self.findSource = findSource
  }

  package var kernels: KernelTable { kernelSet.table }

  /// The strategy of a family that this node takes for all its problems, with what is known of the others; `nil`
  /// where none accepts them.
  ///
  /// The problems occur so many `times`, which costs are multiplied by.
  func choose<Problem, Kernel>(
    _ family: KernelFamily<Problem, Kernel>, for problems: [Problem], times: Int
  ) -> ChosenStrategy<Kernel>? {
    let forced = kernelSet.forced[family.name]
    guard let strategy = family.choose(problems, forced: forced) else { return nil }
    let candidates = family.strategies.map { candidate in
      let refusal = candidate.refusal(ofAny: problems)
      let work = refusal == nil ? candidate.work(ofAll: problems) : KernelWork()
      return StrategyChoice.Candidate(
        name: candidate.name, refusal: refusal?.rawValue, work: refusal == nil ? work.amounts : [],
        nanoseconds: refusal == nil ? work.total(candidate.costs) * Double(times) : nil)
    }
    return ChosenStrategy(
      kernel: strategy.kernel,
      choice: StrategyChoice(
        family: family.name, name: strategy.name, isForced: strategy.name == forced,
        candidates: candidates))
  }

  func choose<Problem, Kernel>(
    _ family: KernelFamily<Problem, Kernel>, for problem: Problem, times: Int
  ) -> ChosenStrategy<Kernel>? {
    choose(family, for: [problem], times: times)
  }

  /// The strategy of a product of floats.
  func chooseForFloats(_ problems: [ProductProblem], times: Int = 1) -> ChosenStrategy<FloatGEMM> {
    chooseProduct(kernels.floatProducts, problems, times)
  }

  func chooseForFloats(_ problem: ProductProblem, times: Int = 1) -> ChosenStrategy<FloatGEMM> {
    chooseForFloats([problem], times: times)
  }

  /// The strategy of a product of bytes.
  func choose(_ problems: [ProductProblem], times: Int = 1) -> ChosenStrategy<QuantizedGEMM> {
    chooseProduct(kernels.quantizedProducts, problems, times)
  }

  func choose(_ problem: ProductProblem, times: Int = 1) -> ChosenStrategy<QuantizedGEMM> {
    choose([problem], times: times)
  }

  /// Families of products have a strategy for every problem: rows can always be gathered.
  private func chooseProduct<Kernel>(
    _ family: KernelFamily<ProductProblem, Kernel>, _ problems: [ProductProblem], _ times: Int
  ) -> ChosenStrategy<Kernel> {
    guard let chosen = choose(family, for: problems, times: times) else {
      preconditionFailure("no strategy of \(family.name) accepts everything")
    }
    return chosen
  }

  /// The node that makes an operand for this one alone, whose work a step may do in passing.
  package func source(of operand: Int) -> OperandSource? { findSource(operand) }

  /// Weights in a kernel's layout: made once per model, shared by its interpreters.
  ///
  /// One model may be planned for several shapes: `layout` are the numbers, beside `byteCount`, that
  /// come from shapes and decide where weights are packed to. Where `operands`, constants, decide all
  /// else, nodes that read the same ones share a block: unrolled recurrent networks have hundreds.
  /// `pack` fills so many bytes, which are zero before, when the plan is complete. Where the budget does not
  /// allow for them, the step that the caller makes is not used. A block that others point to is packed
  /// before them, and lives as long as they do.
  package func packedWeights(
    _ purpose: String, layout: [Int] = [], decidedBy operands: [Int] = [],
    pointingTo other: PackedBlock? = nil, byteCount: Int,
    pack: @escaping (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    let tensors = operands.map { node.optionalInput($0)?.index ?? -1 }
    return memory.packedWeights(
      .init(
        byteCount: byteCount, layout: layout, tensors: tensors, kernels: kernels.name,
        name: purpose),
      of: node, pointingTo: other, pack: pack)
  }

  /// What the scales of the first operand and of the first result decide: the numbers that packed weights
  /// have from them.
  var scaleNumbers: [Int] {
    var numbers: [Int] = []
    for tensor in [node.optionalInput(0), node.outputs.first] {
      guard let quantization = tensor?.quantization else { continue }
      numbers += quantization.scales.map { Int($0.bitPattern) } + quantization.zeroPoints
    }
    return numbers
  }

  /// Memory for what a step looks up.
  package func makeTable(byteCount: Int) throws(ModelError) -> PackedBlock {
    try memory.makeTable(byteCount: byteCount, for: node)
  }
}

/// The kernels of an interpreter: a table is too large to be copied for every node.
final class KernelSet: Sendable {
  let table: KernelTable
  /// Strategies that the options ask for, by family.
  let forced: [String: String]

  init(_ table: KernelTable, forced: [String: String]) {
    self.table = table
    self.forced = forced
  }
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
