package import OcellusEngine
import OcellusPlatform

/// A check of some nodes of a receipt from stored tensors, without running the whole model.
package struct ReceiptSample {
  private let receipt: Receipt
  private let model: Model
  private let archive: TensorArchive
  private let options: Interpreter.Options
  /// The nodes of the main subgraph.
  private let nodes: [Receipt.Node]
  /// The receipt's tensors of the main subgraph, by index.
  private var tensors: [Int: Receipt.Tensor] = [:]

  package init(
    of receipt: Receipt, model: Model, archive: TensorArchive, options: Interpreter.Options
  ) {
    self.receipt = receipt
    self.model = model
    self.archive = archive
    self.options = options
    nodes = receipt.nodes.filter { $0.subgraph == 0 }
    for tensor in receipt.inputs + nodes.flatMap(\.outputs) { tensors[tensor.index] = tensor }
  }

  /// Computes a number of randomly chosen nodes again.
  ///
  /// - Returns: the verdict and the indices of the computed nodes; there are fewer than `count` if
  ///   not enough nodes can be computed from their operands alone.
  package func check(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) throws -> (verdict: ReceiptVerdict, nodes: [Int]) {
    var checked: [Int] = []
    for node in nodes.shuffled(using: &generator) {
      if checked.count == count { break }
      guard let isolated = try IsolatedNode(node.index, of: model, options: options),
        let operands = try operands(isolated.operands)
      else { continue }
      checked.append(node.index)
      if let wrong = operands.first(where: { $0.stated.hash != $0.hash }) {
        return (verdict(wrong.stated, found: wrong.hash, checked), checked.sorted())
      }
      let results = try isolated.results(of: operands.map(\.tensor))
      for (stated, result) in zip(node.outputs, results) {
        let hash = SHA256.hash(result.bytes).hexadecimal
        if stated.hash != hash {
          return (verdict(stated, found: hash, checked), checked.sorted())
        }
        if let kept = try kept(stated), kept.hash != stated.hash {
          return (verdict(stated, found: kept.hash, checked), checked.sorted())
        }
      }
    }
    return (ReceiptVerdict(nodeCount: checked.count), checked.sorted())
  }

  /// Makes the verdict about a differing tensor, which blames the node that made it.
  private func verdict(
    _ tensor: Receipt.Tensor, found: String, _ checked: [Int]
  ) -> ReceiptVerdict {
    var verdict = ReceiptVerdict(nodeCount: checked.count)
    verdict.tensor = tensor
    verdict.found = found
    verdict.node = nodes.first { $0.outputs.contains(tensor) }
    if verdict.node == nil {
      verdict.otherQuestions = ["input '\(tensor.name)' that was kept is not the receipt's"]
    }
    return verdict
  }

  /// Returns the stored operands of a node and their hashes, or `nil` if one was not stored.
  private func operands(
    _ indices: [Int]
  ) throws -> [(tensor: StoredTensor, hash: String, stated: Receipt.Tensor)]? {
    var operands: [(tensor: StoredTensor, hash: String, stated: Receipt.Tensor)] = []
    for index in indices {
      guard let stated = tensors[index], let (tensor, hash) = try kept(stated) else { return nil }
      operands.append((tensor, hash, stated))
    }
    return operands
  }

  /// Returns a stored tensor and its hash, or `nil` if it was not stored.
  private func kept(_ stated: Receipt.Tensor) throws -> (tensor: StoredTensor, hash: String)? {
    // NumPy drops zeros at the end of strings.
    guard stated.type != .string,
      let tensor = try archive.tensor(
        stated.index, name: stated.name, type: stated.type, quantization: nil)
    else { return nil }
    return (tensor, SHA256.hash(tensor.bytes).hexadecimal)
  }
}
