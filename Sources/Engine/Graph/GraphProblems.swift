/// The problems of a graph's nodes by subgraph, and the calls between subgraphs.
///
/// Errors are made only when they are asked for: many subgraphs of a file may all call one that is
/// broken.
package struct GraphProblems: Sendable {
  private typealias Found = (kind: ModelError.Kind, problem: ModelError.Problem)

  private var found: [Int: [Found]] = [:]
  /// For each subgraph, the subgraphs that it calls; entries at the end may be missing.
  private var callees: [[Int]] = []

  mutating func add(_ problem: ModelError.Problem, _ kind: ModelError.Kind, of subgraph: Int) {
    found[subgraph, default: []].append((kind, problem))
  }

  mutating func addCall(of callee: Int, by subgraph: Int) {
    while callees.count <= subgraph { callees.append([]) }
    callees[subgraph].append(callee)
  }

  /// Returns whether nodes of this subgraph itself have problems.
  func contain(_ subgraph: Int) -> Bool { found[subgraph] != nil }

  /// All problems, in the order of the subgraphs.
  package var all: [ModelError.Problem] {
    found.sorted { $0.key < $1.key }.flatMap { $0.value.map(\.problem) }
  }

  /// Returns all problems of some subgraphs and of those that they call; `nil` if there are none.
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
    // A missing operator decides the kind, because nothing else can be known of its node.
    let kinds = all.map(\.kind)
    let kind =
      kinds.contains(.missingOperator)
      ? .missingOperator : kinds.last { $0 != .unsupported } ?? .unsupported
    return ModelError(kind, listing: all.map(\.problem))
  }
}
