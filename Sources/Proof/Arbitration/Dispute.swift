package import OcellusAudit

/// What two parties disagree about, found with as few questions as possible.
package struct Dispute: Sendable {
  /// What the parties state about the first node where they part; `nil` if one has no more nodes.
  package let statements: (first: Receipt.Node?, second: Receipt.Node?)
  /// The number of nodes about which they agree before that.
  package let agreedCount: Int
  /// How often each party was asked: for its root, for hashes, and for the disputed statement.
  package let exchangeCount: Int

  /// Finds the first statement about a node in which two receipts differ.
  ///
  /// Hashes over the first statements halve the candidates, as in a binary search: equal hashes
  /// mean equal statements.
  ///
  /// - Returns: `nil` if all statements about nodes are the same.
  package init?(between first: Party, and second: Party) {
    let shorter = min(first.count, second.count)
    // One exchange for the opening statements: roots, model, inputs, and the numbers of nodes.
    var exchanges = 1
    var agreed = 0
    var candidates = shorter
    if first.count == second.count {
      if first.root(ofFirst: shorter) == second.root(ofFirst: shorter) { return nil }
      candidates = shorter - 1
    }
    while agreed < candidates {
      let middle = (agreed + candidates + 1) / 2
      exchanges += 1
      if first.root(ofFirst: middle) == second.root(ofFirst: middle) {
        agreed = middle
      } else {
        candidates = middle - 1
      }
    }
    agreedCount = agreed
    statements = (first.statement(agreed), second.statement(agreed))
    exchangeCount = exchanges + 1
  }
}
