import OcellusAudit
import OcellusEngine

/// A node with its operands and results in a run.
struct CapturedNode {
  /// An operand or a result.
  struct Tensor {
    let index: Int
    let name: String
    let type: ElementType
    let shape: Shape
    /// Whether the value is the same in every run: a constant of the file or a folded result.
    let isKnown: Bool
    let isVariable: Bool
    /// The bytes; `nil` for constants that are stored sparsely and so are not in memory.
    let bytes: [UInt8]?
  }

  let subgraph: Int
  let index: Int
  let operatorName: String
  /// Whether the node was computed while planning.
  let isFolded: Bool
  /// The operands that are present, each once.
  let operands: [Tensor]
  let results: [Tensor]

  /// The name for messages and files.
  var title: String { (subgraph == 0 ? "" : "\(subgraph):") + "\(index) \(operatorName)" }
}

/// An observer that captures each node when it first runs.
///
/// The model must run its nodes separately.
final class NodeCapture: RunObserver {
  private let address: NodeAddress
  private let receive: (CapturedNode) throws -> Void
  private var operands: [[CapturedNode.Tensor]?] = []
  private var captured: Set<[Int]> = []
  /// The tensors computed while planning, as pairs of subgraph and index.
  private var folded: Set<[Int]> = []
  /// The first error; nothing is captured after it.
  private(set) var error: (any Error)?
  /// Called when a single requested node was captured.
  var isDone: () -> Void = {}

  init(_ address: NodeAddress, receive: @escaping (CapturedNode) throws -> Void) {
    self.address = address
    self.receive = receive
  }

  func willRun(_ node: ObservedNode) {
    let isWanted =
      error == nil && address.means(node) && !captured.contains([node.subgraph, node.index])
    guard isWanted else { return operands.append(nil) }
    var seen: Set<Int> = []
    operands.append(
      node.inputs.compactMap(\.self).filter { seen.insert($0.index).inserted }
        .map { tensor(of: $0, in: node) })
  }

  func didRun(_ node: ObservedNode) {
    if node.execution == .folded {
      for output in node.outputs { folded.insert([node.subgraph, output.index]) }
    }
    guard let operands = operands.popLast() ?? nil else { return }
    captured.insert([node.subgraph, node.index])
    do {
      try receive(
        CapturedNode(
          subgraph: node.subgraph, index: node.index, operatorName: node.operatorName,
          isFolded: node.execution == .folded, operands: operands,
          results: node.outputs.map { tensor(of: $0, in: node) }))
    } catch {
      self.error = error
    }
    if address.node != nil { isDone() }
  }

  private func tensor(of tensor: ObservedTensor, in node: ObservedNode) -> CapturedNode.Tensor {
    CapturedNode.Tensor(
      index: tensor.index, name: tensor.name, type: tensor.type, shape: tensor.shape,
      isKnown: tensor.isConstant || folded.contains([node.subgraph, tensor.index]),
      isVariable: tensor.isVariable, bytes: tensor.withBytes { Array($0) })
  }

  /// Runs a model until the requested nodes are captured.
  static func run(
    _ interpreter: Interpreter, _ entry: EntryPoint, _ address: NodeAddress,
    receive: @escaping (CapturedNode) throws -> Void
  ) throws {
    let capture = NodeCapture(address, receive: receive)
    let cancellation = interpreter.cancellation
    capture.isDone = cancellation.cancel
    interpreter.observer = capture
    defer { interpreter.observer = nil }
    do throws(ModelError) { try entry.run() } catch {
      guard error.kind == .cancelled else { throw error }
    }
    cancellation.resume()
    if let error = capture.error { throw error }
    if let node = address.node, capture.captured.isEmpty {
      throw RunError("node \(node) does not run with this input")
    }
  }
}
