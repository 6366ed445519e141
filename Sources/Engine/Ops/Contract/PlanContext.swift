package import OcellusKernelABI

/// The information from which an operator plans a tuned step.
///
/// A class: every copy of a structure would retain and release dozens of references.
package final class PlanContext {
  package let node: NodeSpec
  package let inputShapes: [Shape?]
  package let outputShapes: [Shape]
  /// The operands that keep their value between runs, such as weights.
  package let constants: [TensorView?]
  /// The operands whose values are known as long as the plan holds: constants, and values that
  /// follow from shapes.
  package let knownValues: [TensorView?]
  /// The number of threads that will share the step's work.
  package let threadCount: Int
  /// The rules for float arithmetic: in models that round floats to integers later, a difference of
  /// one bit may become a quantization step.
  package let numerics: Numerics
  /// Whether the node is computed with the bits of LiteRT's delegate XNNPACK.
  var isDelegated: Bool { if case .litert = numerics { true } else { false } }
  /// The processor whose micro-kernels of XNNPACK give the node its bits, if LiteRT delegates it.
  var delegateProcessor: LiteRTProcessor? {
    if case .litert(let processor) = numerics { processor } else { nil }
  }
  /// Whether a matrix multiplication of floats rounds its factors to bfloat16.
  let multipliesBFloat16: Bool
  /// Variables and tables that outlive a run.
  package let resources: ResourceTable

  private let kernelSet: KernelSet
  private let memory: StepMemory
  /// Finds the node that makes an operand; see `source(of:)`.
  private let findSource: (_ operand: Int) -> OperandProducer?

  init(
    node: NodeSpec, inputShapes: [Shape?], outputShapes: [Shape], constants: [TensorView?],
    knownValues: [TensorView?], kernels: KernelSet, memory: StepMemory, threadCount: Int,
    numerics: Numerics, multipliesBFloat16: Bool, resources: ResourceTable,
    findSource: @escaping (_ operand: Int) -> OperandProducer?
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
    self.multipliesBFloat16 = multipliesBFloat16
    self.resources = resources
    self.findSource = findSource
  }

  package var kernels: KernelTable { kernelSet.table }

  /// Chooses the strategy of a family for all problems of this node, and lists the alternatives;
  /// `nil` where no strategy accepts all problems.
  ///
  /// The problems occur `times` times, by which the listed costs are multiplied.
  func choose<Problem: KernelProblem, Kernel>(
    _ family: KernelFamily<Problem, Kernel>, for problems: [Problem], times: Int
  ) -> ChosenStrategy<Kernel>? {
    let forced = kernelSet.forced[family.name]
    let question =
      kernelSet.tuned == nil
      ? nil
      : StrategyQuestion(
        kernels, threadCount: threadCount, numerics, family: family.name, problems)
    let measured = question.flatMap { kernelSet.tuned?[$0] }
    guard let strategy = family.choose(problems, forced: forced ?? measured) else { return nil }
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
        family: family.name, name: strategy.name,
        basis: strategy.name == forced
          ? .request : forced == nil && strategy.name == measured ? .measurement : .prediction,
        candidates: candidates, question: forced == nil ? question : nil))
  }

  func choose<Problem: KernelProblem, Kernel>(
    _ family: KernelFamily<Problem, Kernel>, for problem: Problem, times: Int
  ) -> ChosenStrategy<Kernel>? {
    choose(family, for: [problem], times: times)
  }

  /// Chooses the strategy of a float GEMM whose factors the numerics may round to bfloat16.
  func chooseRoundableGEMM(
    _ problems: [GEMMProblem], times: Int = 1
  ) -> ChosenStrategy<FloatGEMM> {
    chooseGEMM(multipliesBFloat16 ? kernels.bfloat16GEMM : kernels.floatGEMM, problems, times)
  }

  /// Chooses the strategy of a GEMM of floats that are not rounded.
  func chooseFloatGEMM(_ problems: [GEMMProblem], times: Int = 1) -> ChosenStrategy<FloatGEMM> {
    chooseGEMM(kernels.floatGEMM, problems, times)
  }

  func chooseFloatGEMM(_ problem: GEMMProblem, times: Int = 1) -> ChosenStrategy<FloatGEMM> {
    chooseFloatGEMM([problem], times: times)
  }

  /// Chooses the strategy of a quantized GEMM.
  func chooseQuantizedGEMM(_ problems: [GEMMProblem], times: Int = 1) -> ChosenStrategy<
    QuantizedGEMM
  > {
    chooseGEMM(kernels.quantizedGEMM, problems, times)
  }

  func chooseQuantizedGEMM(_ problem: GEMMProblem, times: Int = 1) -> ChosenStrategy<QuantizedGEMM>
  {
    chooseQuantizedGEMM([problem], times: times)
  }

  /// GEMM families have a strategy for every problem, since im2col is always possible.
  private func chooseGEMM<Kernel>(
    _ family: KernelFamily<GEMMProblem, Kernel>, _ problems: [GEMMProblem], _ times: Int
  ) -> ChosenStrategy<Kernel> {
    guard let chosen = choose(family, for: problems, times: times) else {
      preconditionFailure("no strategy of \(family.name) accepts everything")
    }
    return chosen
  }

  /// Returns the node that makes an operand for this node alone, which a step may fuse.
  package func source(of operand: Int) -> OperandProducer? { findSource(operand) }

  /// Returns weights in a kernel's layout, made once per model and shared by its interpreters.
  ///
  /// One model may be planned for several shapes: `layout` contains the numbers, besides
  /// `byteCount`, that come from shapes and determine the packed layout. Where `operands`, which
  /// are constants, determine everything else, nodes that read the same ones share a block:
  /// unrolled recurrent networks have hundreds. `pack` fills the zeroed bytes when the plan is
  /// complete. Where the budget forbids the block, the step that the caller makes is not used. A
  /// block that others point to is packed before them and lives as long as they do.
  package func packedWeights(
    _ purpose: String, layout: [Int] = [], decidedBy operands: [Int] = [],
    pointingTo other: PackedBlock? = nil, byteCount: Int,
    pack: @escaping (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    let tensors = operands.map { node.optionalInput($0)?.index ?? -1 }
    return memory.packedWeights(
      .init(
        byteCount: byteCount, layout: layout, tensors: tensors, kernels: kernels.name,
        name: delegateProcessor.map { "\(purpose), \($0)" } ?? purpose),
      of: node, pointingTo: other, pack: pack)
  }

  /// The scales and zero points of the first operand and of the first result, as `layout` of packed
  /// weights that depend on them.
  var scaleNumbers: [Int] {
    var numbers: [Int] = []
    for tensor in [node.optionalInput(0), node.outputs.first] {
      guard let quantization = tensor?.quantization else { continue }
      numbers += quantization.scales.map { Int($0.bitPattern) } + quantization.zeroPoints
    }
    return numbers
  }

  /// Allocates a lookup table for a step.
  package func makeTable(byteCount: Int) throws(ModelError) -> PackedBlock {
    try memory.makeTable(byteCount: byteCount, for: node)
  }
}

/// The kernels of an interpreter, in a class because the table is too large to copy for every node.
final class KernelSet: Sendable {
  let table: KernelTable
  /// The strategies that the options force, by family.
  let forced: [String: String]
  /// The strategies that measurements have found to be the fastest; `nil` if the interpreter is not
  /// tuned.
  let tuned: TunedStrategies?

  init(_ table: KernelTable, forced: [String: String], tuned: TunedStrategies?) {
    self.table = table
    self.forced = forced
    self.tuned = tuned
  }
}

/// A node whose only result has one reader, as the planning of that reader sees it.
package struct OperandProducer {
  package let operation: any Operator
  /// Made on demand, since most readers are not interested in most operators.
  package var context: PlanContext { makeContext() }

  private let makeContext: () -> PlanContext

  init(_ operation: any Operator, context: @escaping () -> PlanContext) {
    self.operation = operation
    makeContext = context
  }
}
