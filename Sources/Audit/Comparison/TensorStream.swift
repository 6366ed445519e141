package import OcellusEngine
import OcellusJSON

/// The tensors of one run, node by node: of a model that runs meanwhile, or kept by somebody.
package protocol TensorStream: AnyObject {
  /// What it is, in words.
  var title: String { get }
  /// Its nodes.
  var outline: ModelOutline { get }
  /// The model and how it is run, where nodes can be computed again; `nil` for kept tensors alone.
  var replay: (model: Model, options: Interpreter.Options)? { get }

  /// Goes on to a node of the main subgraph, behind the one before.
  ///
  /// - Returns: whether there is such a node.
  func advance(to node: Int) throws -> Bool
  /// A tensor that the node has read or made, if it is there.
  func tensor(_ index: Int) throws -> StoredTensor?
  /// Ends the run.
  func end()
}

/// A model that runs meanwhile.
package final class LiveStream: TensorStream {
  package let title: String
  package let outline: ModelOutline
  package let replay: (model: Model, options: Interpreter.Options)?

  private let interpreter: Interpreter
  private let handover: Handover<ObservedNode>
  private var current: ObservedNode?

  /// A run of the main subgraph, whose inputs are set.
  package init(_ interpreter: Interpreter, title: String) {
    self.title = title
    self.interpreter = interpreter
    outline = ModelOutline(of: interpreter.model)
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

  package func advance(to node: Int) throws -> Bool {
    while let next = try handover.next() {
      current = next
      if next.index == node { return true }
    }
    current = nil
    return false
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

/// Shows the nodes of the main subgraph when they have run.
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
    guard node.subgraph == 0, !isEnded, !handover.show(node) else { return }
    isEnded = true
    cancellation.cancel()
  }
}

/// Tensors that somebody kept.
package final class KeptStream: TensorStream {
  package let title: String
  package let outline: ModelOutline
  package let replay: (model: Model, options: Interpreter.Options)?

  private let archive: TensorArchive
  private let nodes: Set<Int>

  /// A trace, or a dump of a model's tensors.
  ///
  /// - Throws: where it is a dump, and no model tells what belongs to it.
  package init(_ archive: TensorArchive, model: Model?) throws {
    self.archive = archive
    title = archive.path
    replay = nil
    if let trace = try archive.traceJSON() {
      outline = try ModelOutline(of: trace, at: archive.path)
    } else if let model {
      outline = ModelOutline(of: model)
    } else {
      throw AuditError(
        "\(archive.path) has no \(TensorArchive.traceName), so that nothing tells which tensor is "
          + "which; compare it with the model, or with a trace of it")
    }
    nodes = Set(outline.nodes.map(\.index))
  }

  package func advance(to node: Int) throws -> Bool { nodes.contains(node) }

  package func tensor(_ index: Int) throws -> StoredTensor? {
    guard let tensor = outline.tensors[index] else { return nil }
    return try archive.tensor(
      index, name: tensor.name, type: tensor.type, quantization: tensor.quantization)
  }

  package func end() {}
}
