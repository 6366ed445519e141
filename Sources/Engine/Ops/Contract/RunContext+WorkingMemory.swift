extension RunContext {
  /// Zeroed memory for one run, charged to the budget.
  func workingMemory(byteCount: Int) throws(ModelError) -> MemoryBlock {
    try MemoryBlock(byteCount: byteCount, account: session.account) {
      "working memory of node \(node.spec.index) (\(node.spec.operatorName))"
    }
  }
}
