import OcellusAudit
import OcellusEngine

/// A node of a run, with what it worked on and what came out.
struct CapturedNode {
  /// An operand or a result.
  struct Tensor {
    let index: Int
    let name: String
    let type: ElementType
    let shape: Shape
    /// Whether it has the same value in every run, because of the file or as the planner found out.
    let isKnown: Bool
    let isVariable: Bool
    /// `nil` where nothing of it is in memory: constants that are stored sparsely.
    let bytes: [UInt8]?
  }

  let subgraph: Int
  let index: Int
  let operatorName: String
  /// Whether it was computed while planning.
  let isFolded: Bool
  /// Those that are there, each once.
  let operands: [Tensor]
  let results: [Tensor]

  /// How messages and files call it.
  var title: String { (subgraph == 0 ? "" : "\(subgraph):") + "\(index) \(operatorName)" }
}

/// Takes down nodes in a run: the first time that each of them runs.
///
/// The model has to be run with its nodes apart.
final class NodeCapture: RunObserver {
  private let address: NodeAddress
  private let take: (CapturedNode) throws -> Void
  private var operands: [[CapturedNode.Tensor]?] = []
  private var taken: Set<[Int]> = []
  /// Tensors that were computed while planning, by subgraph.
  private var folded: Set<[Int]> = []
  /// What went wrong, if anything did; nothing is taken behind that.
  private(set) var error: (any Error)?
  /// Called when a single node is taken.
  var isDone: () -> Void = {}

  init(_ address: NodeAddress, take: @escaping (CapturedNode) throws -> Void) {
    self.address = address
    self.take = take
  }

  func willRun(_ node: ObservedNode) {
    let isWanted =
      error == nil && address.means(node) && !taken.contains([node.subgraph, node.index])
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
    taken.insert([node.subgraph, node.index])
    do {
      try take(
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

  /// Runs a model until the nodes are taken.
  static func run(
    _ interpreter: Interpreter, _ entry: EntryPoint, _ address: NodeAddress,
    take: @escaping (CapturedNode) throws -> Void
  ) throws {
    let capture = NodeCapture(address, take: take)
    let cancellation = interpreter.cancellation
    capture.isDone = cancellation.cancel
    interpreter.observer = capture
    defer { interpreter.observer = nil }
    do throws(ModelError) { try entry.run() } catch {
      guard error.kind == .cancelled else { throw error }
    }
    cancellation.resume()
    if let error = capture.error { throw error }
    if let node = address.node, capture.taken.isEmpty {
      throw RunError("node \(node) does not run with this input")
    }
  }
}
