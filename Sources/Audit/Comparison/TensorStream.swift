package import OcellusEngine
import OcellusJSON

/// One execution of a node: the node and the number of its earlier executions.
package struct NodeCall: Hashable, Sendable {
  package var subgraph: Int
  package var node: Int
  package var call: Int

  package init(subgraph: Int = 0, node: Int, call: Int = 0) {
    (self.subgraph, self.node, self.call) = (subgraph, node, call)
  }
}

/// The tensors of one run, node by node: of a model that is running, or from files.
package protocol TensorStream: AnyObject {
  /// A description for reports.
  var title: String { get }
  /// The model and its options, if nodes can be computed again; `nil` for stored tensors alone.
  var replay: (model: Model, options: Interpreter.Options)? { get }
  /// The SHA-256 of the model's file; `nil` if the tensors do not tell.
  var modelDigest: String? { get }
  /// The executions that will follow, if known; `nil` for a live run.
  var calls: Set<NodeCall>? { get }

  /// Returns the nodes of a subgraph, or `nil` if there is no such subgraph.
  func outline(of subgraph: Int) -> ModelOutline?
  /// Advances to the next node that finishes; returns `nil` after the last.
  func next() throws -> NodeCall?
  /// Returns an operand or result of the current node, if it is available.
  func tensor(_ index: Int) throws -> StoredTensor?
  /// Ends the run.
  func end()
}

extension TensorStream {
  /// The nodes of the main subgraph.
  package var outline: ModelOutline { outline(of: 0) ?? .empty }

  /// Advances to a later node of the main subgraph.
  ///
  /// - Returns: whether there is such a node.
  package func advance(to node: Int) throws -> Bool {
    while let nodeCall = try next() {
      if nodeCall == NodeCall(node: node) { return true }
    }
    return false
  }
}

/// The tensors of a model while it runs.
package final class LiveStream: TensorStream {
  package let title: String
  package let replay: (model: Model, options: Interpreter.Options)?
  package let calls: Set<NodeCall>? = nil

  private let interpreter: Interpreter
  private let handover: ProducerThread<ObservedNode>
  private var current: ObservedNode?
  private var outlines: [Int: ModelOutline] = [:]
  /// The number of executions of each node.
  private var callCounts: [NodeCall: Int] = [:]

  /// Starts a run of the main subgraph, whose inputs are set, and of the subgraphs that it calls.
  package init(_ interpreter: Interpreter, title: String) {
    self.title = title
    self.interpreter = interpreter
    replay = (interpreter.model, interpreter.options)
    handover = ProducerThread { handover in
      let guide = Guide(handover, interpreter.cancellation)
      interpreter.observer = guide
      defer { interpreter.observer = nil }
      do throws(ModelError) {
        try interpreter.run()
      } catch {
        // The consumer has seen enough.
        guard error.kind == .cancelled, guide.isEnded else { throw error }
      }
    }
  }

  package var modelDigest: String? { interpreter.model.fileHash }

  /// Copies the inputs, before the run.
  package func inputs() throws -> [StoredTensor] { try interpreter.main.storedInputs() }

  package func outline(of subgraph: Int) -> ModelOutline? {
    if let known = outlines[subgraph] { return known }
    let model = interpreter.model
    guard model.graph.subgraphs.indices.contains(subgraph) else { return nil }
    let outline = ModelOutline(of: model, subgraph: subgraph)
    outlines[subgraph] = outline
    return outline
  }

  package func next() throws -> NodeCall? {
    current = nil
    guard let node = try handover.next() else { return nil }
    current = node
    var nodeCall = NodeCall(subgraph: node.subgraph, node: node.index)
    let call = callCounts[nodeCall, default: 0]
    callCounts[nodeCall] = call + 1
    nodeCall.call = call
    return nodeCall
  }

  package func tensor(_ index: Int) throws -> StoredTensor? {
    let tensors = (current?.outputs ?? []) + (current?.inputs ?? []).compactMap { $0 }
    return tensors.first { $0.index == index }.flatMap { StoredTensor($0) }
  }

  package func end() {
    current = nil
    handover.giveUp()
  }
}

/// An observer that hands each node over after it has run.
private final class Guide: RunObserver {
  private let handover: ProducerThread<ObservedNode>
  private let cancellation: Cancellation
  private(set) var isEnded = false

  init(_ handover: ProducerThread<ObservedNode>, _ cancellation: Cancellation) {
    self.handover = handover
    self.cancellation = cancellation
  }

  func willRun(_ node: ObservedNode) {}

  func didRun(_ node: ObservedNode) {
    guard !isEnded, !handover.show(node) else { return }
    isEnded = true
    cancellation.cancel()
  }
}

/// The tensors of a run from files.
package final class StoredTensorStream: TensorStream {
  package let title: String
  package let replay: (model: Model, options: Interpreter.Options)? = nil
  package let modelDigest: String?

  private let archive: TensorArchive
  /// The outlines by subgraph; a dump has only the main subgraph.
  private let outlines: [Int: ModelOutline]
  private let order: [NodeCall]
  private var position = -1

  /// Opens a trace or a dump of a model's tensors.
  ///
  /// - Throws: an error for a dump without a model, which would say which tensors belong to it.
  package init(_ archive: TensorArchive, model: Model?) throws {
    self.archive = archive
    title = archive.path
    let trace = try archive.traceJSON()
    modelDigest = trace?.object?["model_sha256"]?.string
    if let trace {
      let order = Self.calls(in: trace)
      outlines = try Dictionary(
        uniqueKeysWithValues: Set([0] + order.map(\.subgraph)).map { subgraph in
          (subgraph, try ModelOutline(of: trace, at: archive.path, subgraph: subgraph))
        })
      self.order = order
    } else if let model {
      let outline = ModelOutline(of: model)
      outlines = [0: outline]
      order = outline.nodes.map { NodeCall(node: $0.index) }
    } else {
      throw AuditError(
        "\(archive.path) has no \(TensorArchive.traceName), so that nothing tells which tensor is "
          + "which; compare it with the model, or with a trace of it")
    }
  }

  /// Returns the nodes of a trace in execution order.
  private static func calls(in trace: JSONValue) -> [NodeCall] {
    (trace.object?["nodes"]?.array ?? []).compactMap { node in
      guard let object = node.object, let subgraph = object["subgraph"]?.integer,
        let index = object["node"]?.integer
      else { return nil }
      return NodeCall(subgraph: subgraph, node: index, call: object["call"]?.integer ?? 0)
    }
  }

  package var calls: Set<NodeCall>? { Set(order) }

  package func outline(of subgraph: Int) -> ModelOutline? { outlines[subgraph] }

  package func next() throws -> NodeCall? {
    position += 1
    return order.indices.contains(position) ? order[position] : nil
  }

  package func tensor(_ index: Int) throws -> StoredTensor? {
    guard order.indices.contains(position),
      let tensor = outline(of: order[position].subgraph)?.tensors[index]
    else { return nil }
    return try archive.tensor(
      index, name: tensor.name, type: tensor.type, quantization: tensor.quantization,
      subgraph: order[position].subgraph, call: order[position].call)
  }

  package func end() {}
}
