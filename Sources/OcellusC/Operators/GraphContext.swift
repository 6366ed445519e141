import CTensorFlowLite
import OcellusEngine
import OcellusHandles
import OcellusModelFile

/// A subgraph as the program's operators and delegates see it: the object behind a `TfLiteContext`.
final class GraphContext: Handle {
  let index: Int
  let record: SubgraphRecord
  let tensors: TensorTable
  let reporter: ErrorReporter
  /// Whether the program brings operators of its own.
  let hasKernels: Bool
  /// The number of threads that operators of the program are advised to use.
  let threads: Int
  private unowned let graphs: GraphContexts
  private var nodes: [GraphNode?]

  /// The tensors that enter and leave the graph, as lists with stable addresses.
  let inputs: CIntegers
  let outputs: CIntegers
  private(set) lazy var variables = CIntegers(
    record.tensors.indices.filter { record.tensors[$0].isVariable })
  private(set) lazy var name = CStrings([record.name])
  private var madeContext: UnsafeMutablePointer<TfLiteContext>?
  private var madePlan: UnsafeMutablePointer<TfLiteIntArray>?
  /// The status that the operator returned that failed last.
  var failure = kTfLiteError

  init(_ index: Int, of graphs: GraphContexts) {
    self.index = index
    self.graphs = graphs
    record = graphs.file.subgraphs[index]
    reporter = graphs.reporter
    hasKernels = graphs.hasKernels
    threads = graphs.threads
    tensors = TensorTable(record, canGrow: hasKernels)
    inputs = CIntegers(record.inputs)
    outputs = CIntegers(record.outputs)
    nodes = Array(repeating: nil, count: record.operators.count)
  }

  /// Returns the graph that a context belongs to.
  static func at(_ context: UnsafePointer<TfLiteContext>?) -> GraphContext? {
    guard let graph = context?.pointee.impl_ else { return nil }
    return at(OpaquePointer(graph)) as GraphContext?
  }

  /// Returns the graph that an opaque context belongs to.
  static func at(opaque context: OpaquePointer?) -> GraphContext? {
    at(context.map { UnsafePointer<TfLiteContext>($0) })
  }

  /// Returns a node, or `nil` if the position is out of range.
  func node(_ position: Int) -> GraphNode? {
    guard nodes.indices.contains(position) else { return nil }
    if let node = nodes[position] { return node }
    let record = record.operators[position]
    let code = graphs.file.operatorCodes[record.codeIndex]
    let node = GraphNode(
      position, record, code: code, kernel: graphs.kernel(for: code), graph: self)
    nodes[position] = node
    return node
  }

  /// Whether a problem is a custom operator that neither the engine nor the program has.
  func isMissing(_ problem: ModelError.Problem) -> Bool {
    graphs.file.operatorCodes.contains {
      $0.isCustom && $0.name == problem.operatorName && graphs.kernel(for: $0) == nil
        && (!graphs.usesEngine || OperatorRegistry()[$0.name] == nil)
    }
  }

  /// Returns another subgraph of the model.
  func graph(_ index: Int) -> GraphContext? { graphs[index] }

  /// Stores the address and the count of the first metadata entry of the model with a name.
  func showMetadata(
    _ name: UnsafePointer<CChar>?, _ bytes: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: UnsafeMutablePointer<Int>?
  ) -> TfLiteStatus {
    guard let name = name.map({ String(cString: $0) }),
      let data = graphs.file.metadata.first(where: { $0.name == name })?.bytes
    else { return kTfLiteError }
    bytes?.pointee = data.baseAddress?.assumingMemoryBound(to: CChar.self)
    count?.pointee = data.count
    return kTfLiteOk
  }

  /// Returns what operators of the program share under a type.
  func external(
    _ type: TfLiteExternalContextType
  ) -> UnsafeMutablePointer<TfLiteExternalContext>? { graphs.externals[type.rawValue] }

  /// Shares something, which belongs to the program, among the operators of the interpreter.
  func setExternal(
    _ type: TfLiteExternalContextType, _ external: UnsafeMutablePointer<TfLiteExternalContext>?
  ) {
    guard type.rawValue < kTfLiteMaxExternalContexts.rawValue else { return }
    graphs.externals[type.rawValue] = external
  }

  /// Lets all operators free their data.
  func close() {
    for node in nodes { node?.close() }
  }

  // MARK: Structures

  /// The structure that operators and delegates receive, made on first use.
  var context: UnsafeMutablePointer<TfLiteContext> {
    if let madeContext { return madeContext }
    tensors.fillAll()
    let context = UnsafeMutablePointer<TfLiteContext>.allocate(capacity: 1)
    context.initialize(to: TfLiteContext(graph: self))
    madeContext = context
    return context
  }

  /// The indices of all nodes, in execution order.
  var executionPlan: UnsafeMutablePointer<TfLiteIntArray>? {
    if madePlan == nil { madePlan = makeList(Array(record.operators.indices)) }
    return madePlan
  }

  deinit {
    madeContext?.deallocate()
    TfLiteIntArrayFree(madePlan)
  }
}

/// The subgraphs of one interpreter.
final class GraphContexts {
  let file: ModelFile
  let reporter: ErrorReporter
  private let kernels: ProgramKernels
  /// Whether the engine's operators are used too.
  let usesEngine: Bool
  let threads: Int
  /// What operators of the program share, by its type.
  var externals: [UInt32: UnsafeMutablePointer<TfLiteExternalContext>] = [:]
  private var graphs: [GraphContext?]

  var hasKernels: Bool { !kernels.isEmpty }

  init(
    _ file: ModelFile, kernels: ProgramKernels, usesEngine: Bool, threads: Int,
    reporter: ErrorReporter
  ) {
    self.file = file
    self.kernels = kernels
    self.usesEngine = usesEngine
    self.threads = threads
    self.reporter = reporter
    graphs = Array(repeating: nil, count: file.subgraphs.count)
  }

  subscript(index: Int) -> GraphContext? {
    guard graphs.indices.contains(index) else { return nil }
    if let graph = graphs[index] { return graph }
    let graph = GraphContext(index, of: self)
    graphs[index] = graph
    return graph
  }

  func kernel(for code: OperatorCodeRecord) -> Kernel? { kernels.kernel(for: code) }

  /// Returns the operators with which the engine builds the model's graph.
  func registry() -> OperatorRegistry {
    let names = Set(file.operatorCodes.filter { kernel(for: $0) != nil }.map(\.name))
    // Safe: one interpreter makes and uses it, on the thread that uses this interpreter.
    nonisolated(unsafe) let graphs = self
    let definitions = names.map { name in
      OperatorDefinition(name, versions: 0...(.max), types: []) { spec throws(ModelError) in
        guard let graph = graphs[spec.subgraph], let node = graph.node(spec.index),
          node.kernel != nil
        else { throw spec.error("the program has no kernel of this version", .missingOperator) }
        node.initialize(options: spec.customOptions)
        return ProgramOperator(node: node, graph: graph)
      }
    }
    return OperatorRegistry(adding: definitions, includesOwn: usesEngine)
  }

  /// Lets all operators free their data.
  func close() {
    for graph in graphs { graph?.close() }
  }
}
