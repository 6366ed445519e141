package import OcellusEngine
import OcellusJSON

/// A node in a run: which one, and how often it ran before.
package struct NodePlace: Hashable, Sendable {
  package var subgraph: Int
  package var node: Int
  package var call: Int

  package init(subgraph: Int = 0, node: Int, call: Int = 0) {
    (self.subgraph, self.node, self.call) = (subgraph, node, call)
  }
}

/// The tensors of one run, node by node: of a model that runs meanwhile, or kept by somebody.
package protocol TensorStream: AnyObject {
  /// What it is, in words.
  var title: String { get }
  /// The model and how it is run, where nodes can be computed again; `nil` for kept tensors alone.
  var replay: (model: Model, options: Interpreter.Options)? { get }
  /// The nodes that will come, if that is known; `nil` for a run.
  var places: Set<NodePlace>? { get }

  /// The nodes of a subgraph; `nil` where there is no such subgraph.
  func outline(of subgraph: Int) -> ModelOutline?
  /// Goes on to the next node, in the order in which they come to their ends; `nil` behind the last.
  func next() throws -> NodePlace?
  /// A tensor that the node has read or made, if it is there.
  func tensor(_ index: Int) throws -> StoredTensor?
  /// Ends the run.
  func end()
}

extension TensorStream {
  /// The nodes of the main subgraph.
  package var outline: ModelOutline { outline(of: 0) ?? .empty }

  /// Goes on to a node of the main subgraph, behind the one before.
  ///
  /// - Returns: whether there is such a node.
  package func advance(to node: Int) throws -> Bool {
    while let place = try next() {
      if place == NodePlace(node: node) { return true }
    }
    return false
  }
}

/// A model that runs meanwhile.
package final class LiveStream: TensorStream {
  package let title: String
  package let replay: (model: Model, options: Interpreter.Options)?
  package let places: Set<NodePlace>? = nil

  private let interpreter: Interpreter
  private let handover: Handover<ObservedNode>
  private var current: ObservedNode?
  private var outlines: [Int: ModelOutline] = [:]
  /// How often nodes have run, by subgraph and node.
  private var callCounts: [NodePlace: Int] = [:]

  /// A run of the main subgraph, whose inputs are set, with the subgraphs that it calls.
  package init(_ interpreter: Interpreter, title: String) {
    self.title = title
    self.interpreter = interpreter
    replay = (interpreter.model, interpreter.options)
    handover = Handover { handover in
      let guide = Guide(handover, interpreter.cancellation)
      interpreter.observer = guide
      defer { interpreter.observer = nil }
      do throws(ModelError) {
        try interpreter.run()
      } catch {
        // Somebody has seen enough.
        guard error.kind == .cancelled, guide.isEnded else { throw error }
      }
    }
  }

  /// Copies of the inputs, before the run.
  package func inputs() throws -> [StoredTensor] { try interpreter.main.storedInputs() }

  package func outline(of subgraph: Int) -> ModelOutline? {
    if let known = outlines[subgraph] { return known }
    let model = interpreter.model
    guard model.graph.subgraphs.indices.contains(subgraph) else { return nil }
    let outline = ModelOutline(of: model, subgraph: subgraph)
    outlines[subgraph] = outline
    return outline
  }

  package func next() throws -> NodePlace? {
    current = nil
    guard let node = try handover.next() else { return nil }
    current = node
    var place = NodePlace(subgraph: node.subgraph, node: node.index)
    let call = callCounts[place, default: 0]
    callCounts[place] = call + 1
    place.call = call
    return place
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

/// Shows nodes when they have run.
private final class Guide: RunObserver {
  private let handover: Handover<ObservedNode>
  private let cancellation: Cancellation
  private(set) var isEnded = false

  init(_ handover: Handover<ObservedNode>, _ cancellation: Cancellation) {
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

/// Tensors that somebody kept.
package final class KeptStream: TensorStream {
  package let title: String
  package let replay: (model: Model, options: Interpreter.Options)? = nil

  private let archive: TensorArchive
  /// By subgraph; of a dump the main one only.
  private let outlines: [Int: ModelOutline]
  private let order: [NodePlace]
  private var position = -1

  /// A trace, or a dump of a model's tensors.
  ///
  /// - Throws: where it is a dump, and no model tells what belongs to it.
  package init(_ archive: TensorArchive, model: Model?) throws {
    self.archive = archive
    title = archive.path
    if let trace = try archive.traceJSON() {
      let order = Self.places(in: trace)
      outlines = try Dictionary(
        uniqueKeysWithValues: Set([0] + order.map(\.subgraph)).map { subgraph in
          (subgraph, try ModelOutline(of: trace, at: archive.path, subgraph: subgraph))
        })
      self.order = order
    } else if let model {
      let outline = ModelOutline(of: model)
      outlines = [0: outline]
      order = outline.nodes.map { NodePlace(node: $0.index) }
    } else {
      throw AuditError(
        "\(archive.path) has no \(TensorArchive.traceName), so that nothing tells which tensor is "
          + "which; compare it with the model, or with a trace of it")
    }
  }

  /// The nodes of a trace in the order in which they ran.
  private static func places(in trace: JSONValue) -> [NodePlace] {
    (trace.object?["nodes"]?.array ?? []).compactMap { node in
      guard let object = node.object, let subgraph = object["subgraph"]?.integer,
        let index = object["node"]?.integer
      else { return nil }
      return NodePlace(subgraph: subgraph, node: index, call: object["call"]?.integer ?? 0)
    }
  }

  package var places: Set<NodePlace>? { Set(order) }

  package func outline(of subgraph: Int) -> ModelOutline? { outlines[subgraph] }

  package func next() throws -> NodePlace? {
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
