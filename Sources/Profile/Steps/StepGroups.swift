import OcellusEngine

/// A node and the nodes fused into it.
struct StepGroup {
  /// The node that does the work.
  let performer: NodeKey
  /// All nodes of the group, in the order of the file.
  let entries: [Profiler.Entry]
}

extension [Profiler.Entry] {
  /// The entries grouped by the node that does their work, in the order of the file.
  var groups: [StepGroup] {
    let positions = Dictionary(
      indices.map { (self[$0].facts.key, $0) }, uniquingKeysWith: { first, _ in first })
    return Dictionary(grouping: self) { performer(of: $0.facts, positions) }
      .map { performer, entries in
        StepGroup(
          performer: performer, entries: entries.sorted { $0.facts.key.node < $1.facts.key.node })
      }
      .sorted {
        ($0.performer.subgraph, $0.performer.node) < ($1.performer.subgraph, $1.performer.node)
      }
  }

  /// Returns the node that does a node's work, following any number of fusions.
  private func performer(of facts: NodeFacts, _ positions: [NodeKey: Int]) -> NodeKey {
    var facts = facts
    // Fusions form no cycle, but the loop would end even in one.
    for _ in indices {
      let next: Int
      switch facts.execution {
      case .fused(let node), .fusedGroup(let node): next = node
      default: return facts.key
      }
      let key = NodeKey(subgraph: facts.key.subgraph, node: next)
      guard key != facts.key, let position = positions[key] else { return facts.key }
      facts = self[position].facts
    }
    return facts.key
  }
}

extension ProfiledStep {
  /// Makes a step from the times of a group in some runs.
  init(_ group: StepGroup, firstMilliseconds: Double, runs: [Int]) {
    let facts = group.entries.map(\.facts)
    let performer = group.entries.first { $0.facts.key == group.performer }
    let calls = Double(runs.reduce(0) { $0 + (performer?.calls[$1] ?? 0) }) / Double(runs.count)
    func perRun(_ count: Int) -> Int { Int((Double(count) * calls).rounded()) }
    subgraph = group.performer.subgraph
    node = group.performer.node
    nodes = facts.map { facts in
      Node(
        index: facts.key.node, operatorName: facts.operatorName,
        multiplyAdds: perRun(facts.multiplyAdds), outputName: facts.outputName, shape: facts.shape)
    }
    let kernel = performer?.facts.execution.kernelName ?? "reference"
    self.kernel = kernel
    strategyBasis = performer?.facts.strategyBasis
    milliseconds = runs.map { run in
      Double(group.entries.reduce(0) { $0 + $1.nanoseconds[run] }) / 1e6
    }
    time = TimeStatistics(milliseconds)
    callsPerRun = calls
    self.firstMilliseconds = firstMilliseconds
    multiplyAdds = nodes.reduce(0) { $0 + $1.multiplyAdds }
    arithmetic = facts.first { $0.multiplyAdds > 0 }.flatMap {
      ProfiledStep.Arithmetic(operands: $0.inputs.map(\.type), kernel: kernel)
    }
    let traffic = Traffic(of: facts)
    readByteCount = perRun(traffic.read)
    writtenByteCount = perRun(traffic.written)
  }
}

/// The bytes that the nodes of a step read and write.
///
/// Tensors that only pass between the nodes and need not exist do not count, nor do operands that
/// stay in place as results, such as those of views.
private struct Traffic {
  var read = 0
  var written = 0

  init(of nodes: [NodeFacts]) {
    let nodes = nodes.filter { $0.execution != .view }
    let made = Set(nodes.flatMap { $0.outputs.map(\.index) })
    var known: Set<Int> = []
    for tensor in nodes.flatMap(\.inputs)
    where !made.contains(tensor.index) && known.insert(tensor.index).inserted {
      read += tensor.byteCount
    }
    for tensor in nodes.flatMap(\.outputs) where tensor.isInMemory { written += tensor.byteCount }
    let unmoved = nodes.reduce(0) { $0 + $1.elidedCopyByteCount }
    read = max(read - unmoved, 0)
    written = max(written - unmoved, 0)
  }
}
