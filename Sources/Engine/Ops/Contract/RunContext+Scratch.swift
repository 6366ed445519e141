extension RunContext {
  /// Charges the budget for memory that `body` allocates itself, until `body` returns.
  ///
  /// Meant for ordinary arrays, which take a few bytes in most models and many in hostile ones.
  package func charging<Result>(
    byteCount: Int, _ body: () throws(ModelError) -> Result
  ) throws(ModelError) -> Result {
    let account = session.account
    try account.charge(byteCount) { "working memory of \(node.spec.operatorName)" }
    defer { account.refund(byteCount) }
    return try body()
  }

  /// Calls `body` with zeroed scratch that the interpreter's budget is charged for.
  package func withScratch<Element: BitwiseCopyable, Result>(
    _: Element.Type = Element.self, count: Int,
    _ body: (UnsafeMutableBufferPointer<Element>) throws(ModelError) -> Result
  ) throws(ModelError) -> Result {
    let (byteCount, overflow) = count.multipliedReportingOverflow(
      by: MemoryLayout<Element>.stride)
    try require(!overflow, "needs too much working memory")
    let block = try workingMemory(byteCount: byteCount)
    defer { withExtendedLifetime(block) {} }
    let memory = block.base.bindMemory(to: Element.self, capacity: count)
    return try body(UnsafeMutableBufferPointer(start: memory, count: count))
  }

  /// Allocates zeroed memory for one run, charged to the budget.
  func workingMemory(byteCount: Int) throws(ModelError) -> MemoryBlock {
    try MemoryBlock(byteCount: byteCount, account: session.account) {
      "working memory of node \(node.spec.index) (\(node.spec.operatorName))"
    }
  }
}
