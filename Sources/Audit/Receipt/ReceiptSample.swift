package import OcellusEngine
import OcellusPlatform

/// A check of some nodes of a receipt from stored tensors, without running the whole model.
package struct ReceiptSample {
  private let receipt: Receipt
  private let model: Model
  private let archive: TensorArchive
  private let options: Interpreter.Options
  /// Why floats may be rounded differently here; `nil` if all bits must be the same.
  private let cause: RoundingCause?
  /// The nodes of the main subgraph.
  private let nodes: [Receipt.Node]
  /// The receipt's tensors of the main subgraph, by index.
  private var tensors: [Int: Receipt.Tensor] = [:]

  /// The signal over the difference, in decibels, from which rounding explains the difference.
  ///
  /// One node's floats agree in many more bits; errors in weights or operands cost far more.
  private static let roundingSignalToNoise = 60.0

  /// Makes a check of a receipt whose numbers may be rounded differently for a `cause`.
  package init(
    of receipt: Receipt, model: Model, archive: TensorArchive, options: Interpreter.Options,
    cause: RoundingCause? = nil
  ) {
    self.receipt = receipt
    self.cause = cause
    self.model = model
    self.archive = archive
    var options = options
    // An extracted node does not know that the rest of its model rounds floats.
    if model.graph.roundsFloats { options.numerics = .exact }
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
    var roundedCount = 0
    var rounded = RoundedResults(of: model)
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
      let mayRound = cause != nil && rounded.rounds(node)
      var isRounded = false
      for (stated, result) in zip(node.outputs, results) {
        let kept = try kept(stated)
        if let kept, kept.hash != stated.hash {
          return (verdict(stated, found: kept.hash, checked), checked.sorted())
        }
        let hash = SHA256.hash(result.bytes).hexadecimal
        if stated.hash == hash { continue }
        guard mayRound, let kept, Self.isRounding(kept.tensor, result) else {
          return (verdict(stated, found: hash, checked), checked.sorted())
        }
        isRounded = true
      }
      if isRounded { roundedCount += 1 }
    }
    var verdict = ReceiptVerdict(nodeCount: checked.count)
    if checked.isEmpty {
      verdict.obstacle = .noTensors
    } else if let cause, roundedCount > 0 {
      verdict.obstacle = .rounding(cause, nodeCount: roundedCount, isMeasured: true)
    }
    return (verdict, checked.sorted())
  }

  /// Returns whether rounding explains the difference of two results from the same operands.
  private static func isRounding(_ kept: StoredTensor, _ result: StoredTensor) -> Bool {
    guard kept.shape == result.shape, let difference = TensorDifference(kept, result) else {
      return false
    }
    guard kept.format?.isFloating == true else { return difference.units.map { $0 <= 1 } ?? false }
    return difference.maximum.isFinite && difference.signalToNoise >= roundingSignalToNoise
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
