/// Calls of a pool that wait for a viewer, in the order in which they came.
struct CallQueue<Viewer: PooledViewer> {
  private var calls: [(any PoolWork<Viewer>)?] = []
  /// The first that was not handed out.
  private var head = 0
  /// How many of them may have ended already, because somebody stopped them.
  private var endedCount = 0
  /// Whether there will be no more.
  var isClosed = false

  /// The calls that wait.
  var count: Int { calls.count - head }

  mutating func append(_ call: any PoolWork<Viewer>) { calls.append(call) }

  /// The call that came first.
  mutating func next() -> (any PoolWork<Viewer>)? {
    guard head < calls.count else { return nil }
    let call = calls[head]
    calls[head] = nil
    head += 1
    // What was handed out is dropped in lots: long queues are not moved for each call.
    if 2 * head > calls.count { compact() }
    return call
  }

  /// Notes that a call ended while it waited; they are dropped in lots too.
  mutating func noteEnd() {
    endedCount += 1
    if 2 * endedCount > count { compact() }
  }

  private mutating func compact() {
    calls = calls.filter { $0.map { !$0.isOver } ?? false }
    (head, endedCount) = (0, 0)
  }
}
