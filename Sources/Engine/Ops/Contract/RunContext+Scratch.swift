extension RunContext {
  /// Lends `body` zeroed working memory that the interpreter's budget is charged for.
  package func withScratch<Element: BitwiseCopyable, Result>(
    _: Element.Type = Element.self, count: Int,
    _ body: (UnsafeMutableBufferPointer<Element>) throws(ModelError) -> Result
  ) throws(ModelError) -> Result {
    let (byteCount, overflow) = count.multipliedReportingOverflow(
      by: MemoryLayout<Element>.stride)
    try require(!overflow, "needs too much working memory")
    let block = try MemoryBlock(byteCount: byteCount, account: session.account) {
      "working memory of \(node.spec.operatorName)"
    }
    defer { withExtendedLifetime(block) {} }
    let memory = block.base.bindMemory(to: Element.self, capacity: count)
    return try body(UnsafeMutableBufferPointer(start: memory, count: count))
  }
}
