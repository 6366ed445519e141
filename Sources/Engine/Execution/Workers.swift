/// The threads that share the tiles of a step.
package final class Workers {
  package let threadCount: Int

  package init(threadCount: Int) {
    self.threadCount = max(threadCount, 1)
  }

  /// Calls `body` once for every index, on all threads, and returns when all are done.
  package func run(_ count: Int, _ body: (Int) -> Void) {
    for index in 0..<count { body(index) }
  }
}
