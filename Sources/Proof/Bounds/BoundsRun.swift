package import OcellusAudit
package import OcellusEngine
import OcellusModelFile

/// Bounds every node of a run, from the same operands or through the network.
package final class BoundsRun: RunObserver {
  /// Where the operands of nodes come from.
  package enum Scope: Sendable {
    /// Each node is bounded from the operands that it had in the run.
    case nodes
    /// Bounds are operands of the nodes behind; only the model's inputs are known exactly.
    case network
  }

  /// Stores the bounds of a result.
  package typealias Keep = (_ file: TensorFileName, BoundedTensor) throws -> Void

  private let bounder: NodeBounder
  private let scope: Scope
  private let keep: Keep?
  private let report: (NodeBound) -> Void
  /// Why bounds could not be stored.
  private var failure: (any Error)?
  /// What is known of the main subgraph's tensors, through the network.
  private var known: KnownTensors
  /// The operands of the nodes that are running, as nodes of called subgraphs do inside of others.
  private var operands: [[BoundedTensor?]] = []
  /// Whether results that are no floats are those of this run where their operands are known.
  private let trustsIntegers: Bool
  /// The tensors of the main subgraph that are kept, and what this run computed for them.
  private let kept: Set<Int>
  private var seen: [Int: StoredTensor] = [:]
  /// The number of nodes whose integers are those of this run.
  package private(set) var integerCount = 0
  private var callCounts: [[Int]: Int] = [:]

  /// The bounds of the main subgraph's results, through the network.
  package var results: [Int: BoundedTensor] { known.tensors }

  /// Prepares to bound the nodes of a model.
  ///
  /// `tensors` are tensors of the main subgraph to be kept besides its outputs. With
  /// `trustsIntegers`, nodes whose results are no floats compute what the specification of the
  /// official reference kernels says, to the bit: through the network, they are as exact as their
  /// operands.
  package init(
    of model: Model, _ arithmetic: BoundsArithmetic, _ scope: Scope, keeping tensors: [Int] = [],
    trustsIntegers: Bool = false, keep: Keep? = nil, report: @escaping (NodeBound) -> Void
  ) {
    bounder = NodeBounder(of: model, arithmetic)
    known = KnownTensors(of: model.file.subgraphs[0], keeping: tensors)
    kept = Set(tensors)
    self.trustsIntegers = trustsIntegers
    self.scope = scope
    self.keep = keep
    self.report = report
  }

  /// Throws if bounds could not be stored.
  package func check() throws {
    if let failure { throw failure }
  }

  /// Returns the bounds of a tensor that was to be kept, and what this run computed for it.
  package func bounds(ofKept tensor: Int) -> (bounds: BoundedTensor?, seen: StoredTensor?) {
    if let constant = bounder.constant(tensor, ofSubgraph: 0) { return (constant, constant.low) }
    return (known.tensors[tensor], seen[tensor])
  }

  package func willRun(_ node: ObservedNode) {
    operands.append(
      node.inputs.map { operand in
        guard let operand, !operand.isConstant else { return nil }
        guard scope == .network else {
          return StoredTensor(operand).map { BoundedTensor(exact: $0) }
        }
        guard node.subgraph == 0 else { return nil }
        if known.isGiven(operand.index), !operand.isVariable {
          return StoredTensor(operand).map { BoundedTensor(exact: $0) }
        }
        return known.tensors[operand.index]
      })
  }

  package func didRun(_ node: ObservedNode) {
    let operands = operands.removeLast()
    let call = callCounts[[node.subgraph, node.index], default: 0]
    callCounts[[node.subgraph, node.index]] = call + 1
    if scope == .network, node.subgraph != 0 { return }
    let outputs = node.outputs
    var outcome = bounder.outcome(
      ofNode: node.index, inSubgraph: node.subgraph, operands: operands,
      shapes: outputs.map(\.shape))
    if scope == .network {
      if let integers = integers(of: node, operands) {
        outcome = .bounded(integers)
        integerCount += 1
      }
      known.add(outcome, of: node.index)
      for output in outputs where kept.contains(output.index) {
        seen[output.index] = StoredTensor(output)
      }
    }
    store(outcome, of: outputs, call: call, subgraph: node.subgraph)
    report(
      NodeBound(
        subgraph: node.subgraph, index: node.index, call: call, operatorName: node.operatorName,
        tensorName: outputs.first?.name ?? "",
        outcome: outcome.judged(by: outputs.map { StoredTensor($0) })))
  }

  /// Returns the results of a node that computes integers from operands that are known; `nil` if it
  /// does not, or is not trusted.
  private func integers(
    of node: ObservedNode, _ operands: [BoundedTensor?]
  ) -> [BoundedTensor]? {
    guard trustsIntegers, node.outputs.allSatisfy({ !$0.type.isFloating }) else { return nil }
    for (operand, bounds) in zip(node.inputs, operands) {
      guard let operand, !operand.isConstant else { continue }
      guard bounds?.isExact == true, !operand.isVariable else { return nil }
    }
    let results = node.outputs.compactMap { StoredTensor($0).map { BoundedTensor(exact: $0) } }
    return results.count == node.outputs.count ? results : nil
  }

  private func store(
    _ outcome: BoundsOutcome, of outputs: [ObservedTensor], call: Int, subgraph: Int
  ) {
    guard let keep, failure == nil, case .bounded(let bounds) = outcome else { return }
    do {
      for (output, bound) in zip(outputs, bounds) where bound.type != .string {
        try keep(
          TensorFileName(subgraph: subgraph, call: call, index: output.index, name: output.name),
          bound)
      }
    } catch {
      failure = error
    }
  }
}

extension BoundsOutcome {
  /// Returns how results lie in the bounds; `nil` for those that are not there.
  func judged(by results: [StoredTensor?]) -> NodeBound.Outcome {
    switch self {
    case .notBounded(let reason): return .notBounded(reason)
    case .bounded(let bounds):
      guard bounds.count == results.count else {
        return .notBounded("it has another number of results")
      }
      guard results.contains(where: { $0 != nil }) else { return .unseen }
      var summaries: [BoundsSummary] = []
      for (bound, result) in zip(bounds, results) {
        guard let result else { continue }
        guard let summary = BoundsSummary(of: bound, around: result) else {
          return .notBounded("the result has other extents than expected, or another type")
        }
        summaries.append(summary)
      }
      return .bounded(summaries)
    }
  }
}
