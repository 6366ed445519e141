/// The threads that share the tiles of a step.
///
/// With one thread there are none but the caller's. Others are started when there is first
/// something to share.
package final class Workers {
  package let threadCount: Int
  private var pool: WorkerPool?

  package init(threadCount: Int) {
    self.threadCount = max(threadCount, 1)
  }

  deinit { pool?.stop() }

  /// Calls `body` once for every tile, on all threads, and returns when all calls have.
  ///
  /// Which thread takes which tile is left to chance, so a tile must not depend on another.
  package func run(_ tileCount: Int, _ body: (Int) -> Void) {
    guard threadCount > 1, tileCount > 1 else {
      for tile in 0..<tileCount { body(tile) }
      return
    }
    let pool = self.pool ?? WorkerPool(helperCount: threadCount - 1)
    self.pool = pool
    // The pool forgets the body before it returns.
    withoutActuallyEscaping(body) { pool.run(tileCount, $0) }
  }
}
