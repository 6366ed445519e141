/// What is wrong with the nodes of a graph, by their subgraphs, and which subgraphs call which.
///
/// Errors are made of it when somebody asks: a file may have many subgraphs that all call the same broken one.
package struct GraphProblems: Sendable {
  private typealias Found = (kind: ModelError.Kind, problem: ModelError.Problem)

  private var found: [Int: [Found]] = [:]
  /// By subgraph; those of the last ones may be missing.
  private var callees: [[Int]] = []

  mutating func add(_ problem: ModelError.Problem, _ kind: ModelError.Kind, of subgraph: Int) {
    found[subgraph, default: []].append((kind, problem))
  }

  mutating func addCall(of callee: Int, by subgraph: Int) {
    while callees.count <= subgraph { callees.append([]) }
    callees[subgraph].append(callee)
  }

  /// Whether nodes of this subgraph itself have problems.
  func contain(_ subgraph: Int) -> Bool { found[subgraph] != nil }

  /// All of them, subgraph by subgraph.
  package var all: [ModelError.Problem] {
    found.sorted { $0.key < $1.key }.flatMap { $0.value.map(\.problem) }
  }

  /// All that is wrong with some subgraphs and those that they call; `nil` if nothing is.
  func failure(of entries: [Int]) -> ModelError? {
    var all: [Found] = []
    var seen: Set<Int> = []
    func collect(_ index: Int) {
      guard seen.insert(index).inserted else { return }
      all += found[index] ?? []
      if index < callees.count { callees[index].forEach(collect) }
    }
    entries.forEach(collect)
    guard !all.isEmpty else { return nil }
    // What is missing wins: nothing else can be known of such a node.
    let kinds = all.map(\.kind)
    let kind =
      kinds.contains(.missingOperator)
      ? .missingOperator : kinds.last { $0 != .unsupported } ?? .unsupported
    return ModelError(kind, listing: all.map(\.problem))
  }
}
