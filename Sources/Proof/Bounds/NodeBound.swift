/// The bounds of one node's results.
package struct NodeBound: Sendable {
  package let subgraph: Int
  package let index: Int
  /// The number of earlier executions: more than zero only in called subgraphs.
  package let call: Int
  package let operatorName: String
  /// The name of the first result.
  package let tensorName: String
  package let outcome: Outcome

  package enum Outcome: Sendable {
    /// How wide the bounds of each result are, and how the result lies in them.
    case bounded([BoundsSummary])
    /// The bounds are known, but not the result: another runtime did not keep it.
    case unseen
    /// There are no bounds, for this reason.
    case notBounded(String)
  }

  package var summaries: [BoundsSummary] {
    if case .bounded(let summaries) = outcome { summaries } else { [] }
  }

  /// The result that is furthest outside of its bounds; `nil` if all are inside.
  package var outside: BoundsSummary? {
    summaries.filter { $0.outsideCount > 0 }.max { a, b in
      (a.worst?.units ?? .infinity) < (b.worst?.units ?? .infinity)
    }
  }
}
