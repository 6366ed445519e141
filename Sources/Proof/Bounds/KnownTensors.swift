import OcellusModelFile

/// What is known of a subgraph's tensors while its nodes are bounded one after the other.
struct KnownTensors {
  private let graph: SubgraphRecord
  private let inputs: Set<Int>
  /// The last node that reads each tensor.
  private let lastReaders: [Int: Int]
  private(set) var tensors: [Int: BoundedTensor] = [:]

  /// `kept` are tensors that are kept to the end, besides the subgraph's outputs.
  init(of graph: SubgraphRecord, keeping kept: [Int] = []) {
    self.graph = graph
    inputs = Set(graph.inputs)
    var readers: [Int: Int] = [:]
    for (index, node) in graph.operators.enumerated() {
      for operand in node.inputs { readers[operand] = index }
    }
    // What the subgraph returns is kept.
    for tensor in graph.outputs + kept { readers[tensor] = .max }
    lastReaders = readers
  }

  /// Whether a tensor is an input, which is known exactly.
  func isGiven(_ tensor: Int) -> Bool { inputs.contains(tensor) }

  mutating func set(_ tensor: Int, to bounds: BoundedTensor?) { tensors[tensor] = bounds }

  /// Adds the results of a node, and drops what no later node reads.
  mutating func add(_ outcome: BoundsOutcome, of index: Int) {
    if case .bounded(let bounds) = outcome { add(bounds, of: index) } else { add([], of: index) }
  }

  /// Adds the results of a node as far as they are known, and drops what no later node reads.
  mutating func add(_ bounds: [BoundedTensor?], of index: Int) {
    let node = graph.operators[index]
    for (tensor, bound) in zip(node.outputs, bounds) { tensors[tensor] = bound }
    for tensor in node.inputs + node.outputs where lastReaders[tensor] ?? -1 <= index {
      tensors[tensor] = nil
    }
  }
}
