import OcellusKernelABI
import OcellusModelFile

/// The state that the subgraphs of one interpreter share.
final class Session {
  let model: Model
  let options: Interpreter.Options
  let account: MemoryAccount
  let meter: RunMeter
  let control: RunControl
  let stepMemory: StepMemory
  let workers: Workers
  let kernels: KernelSet?
  /// `nil` if the options ask for no tuning, and for reference kernels.
  let tuner: StrategyTuner?
  /// The graph that is planned, in the form that suits the kernels.
  let graph: Graph
  let graphForm: GraphForm
  let numerics: Numerics
  /// Whether matrix multiplications of floats round their factors to bfloat16.
  let multipliesBFloat16: Bool
  let resources = ResourceTable()
  /// The number of calls of subgraphs in progress.
  var callDepth = 0
  var observer: (any RunObserver)?
  var stepTimer: StepTimer?
  /// Whether runs may be timed in slower ways: nobody observes them, and no deadline depends on
  /// their time.
  var allowsTrials: Bool {
    observer == nil && stepTimer == nil && !options.budget.hasDeadlinePerRun
  }
  /// One runner for each subgraph that nodes have called.
  private var calledRunners: [SubgraphRunner?]
  /// One runner for each subgraph that the program runs.
  private var enteredRunners: [SubgraphRunner?]

  init(
    model: Model, options: Interpreter.Options, control: RunControl, kernels: KernelTable?
  ) throws(ModelError) {
    self.model = model
    self.control = control
    self.options = options
    let tuner = kernels == nil ? nil : try StrategyTuner(options, for: model)
    self.tuner = tuner
    self.kernels = kernels.map {
      KernelSet($0, forced: options.strategies, tuned: tuner?.strategies)
    }
    (graph, graphForm) = try Self.graph(
      of: model, options.numerics, isRewritten: kernels != nil && !options.runsNodesSeparately)
    numerics = model.graph.numerics(options)
    multipliesBFloat16 = model.graph.multipliesBFloat16(options)
    // Packed weights are about as large as the weights in the file.
    let (limit, overflow) = options.budget.bytes.addingReportingOverflow(
      model.file.bytes.buffer.count)
    account = MemoryAccount(limit: overflow ? .max : limit)
    stepMemory = try StepMemory(packed: model.packedWeights, account: account)
    meter = RunMeter(budget: options.budget, control: control)
    workers = Workers(threadCount: options.threads, control: control)
    calledRunners = Array(repeating: nil, count: model.graph.subgraphs.count)
    enteredRunners = calledRunners
  }

  /// Returns a model's graph in the form that suits the options.
  private static func graph(
    of model: Model, _ numerics: Interpreter.Numerics, isRewritten: Bool
  ) throws(ModelError) -> (Graph, GraphForm) {
    var (graph, isDelegated) = (model.graph, false)
    if case .litert(let processor) = numerics {
      graph = try graph.delegatedToXNNPACK(on: processor.kernel)
      isDelegated = true
    }
    if isRewritten {
      graph = graph.fusingRowUpdates().choosingStorageOrders().bindingConstantInputs()
    }
    return (graph, GraphForm(isDelegated: isDelegated, isRewritten: isRewritten))
  }

  /// Returns the runner of a subgraph for nodes that call it, and makes it when it is first needed.
  func runner(for index: Int) throws(ModelError) -> SubgraphRunner {
    try runner(for: index, in: &calledRunners) { $0.constantInputs }
  }

  /// Returns the runner of a subgraph for the program.
  ///
  /// It differs from the one for nodes: the program may hold tensors of the subgraph, which must
  /// stay where they are while nodes call the same subgraph with other shapes, and may pass other
  /// inputs than nodes do.
  func entryRunner(for index: Int) throws(ModelError) -> SubgraphRunner {
    try runner(for: index, in: &enteredRunners) { _ in [:] }
  }

  private func runner(
    for index: Int, in runners: inout [SubgraphRunner?],
    constantInputs: (Subgraph) -> [Int: TensorSpec]
  ) throws(ModelError) -> SubgraphRunner {
    guard runners.indices.contains(index), let subgraph = graph.subgraphs[index] else {
      throw graph.problems.failure(of: [index])
        ?? ModelError(.malformed, "subgraph \(index) is not part of the graph")
    }
    if let runner = runners[index] { return runner }
    let runner = try SubgraphRunner(
      subgraph, constantInputs: constantInputs(subgraph), session: self)
    runners[index] = runner
    return runner
  }

  func resetState() {
    resources.reset()
    for runner in calledRunners + enteredRunners { runner?.resetState() }
  }
}
