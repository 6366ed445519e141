/// Calls of a pool that wait for a viewer, in the order in which they came.
package struct CallQueue<Viewer: PooledViewer> {
  private var calls: [(any PoolWork<Viewer>)?] = []
  /// The first that was not handed out.
  private var head = 0
  /// How many of them may have ended already, because somebody stopped them.
  private var endedCount = 0
  /// The calls that wait, and the bytes of their files.
  package private(set) var waiting = (count: 0, bytes: 0)
  /// The viewers that have nothing to do.
  private var idleCount: Int
  /// Whether there will be no more.
  var isClosed = false

  package init(viewers: Int) { idleCount = viewers }

  /// Takes a call, unless too many wait already: then it is not taken, and this is what to tell its caller.
  ///
  /// One that was stopped before it came here is not taken either, and its caller knows why.
  package mutating func append(
    _ call: any PoolWork<Viewer>, _ limits: (calls: Int, bytes: Int)
  ) -> VisionError? {
    guard !call.isOver else { return nil }
    if let refusal = refusal(ofBytes: call.byteCount, limits) { return refusal }
    call.enter()
    calls.append(call)
    waiting.count += 1
    waiting.bytes += call.byteCount
    return nil
  }

  /// What to tell somebody who comes with a file of so many bytes; `nil`: there is room for it.
  func refusal(ofBytes byteCount: Int, _ limits: (calls: Int, bytes: Int)) -> VisionError? {
    // What an idle viewer is going to take at once does not wait.
    guard waiting.count - idleCount < limits.calls else {
      return .busy(
        "\(waiting.count) calls wait for the pool already: that is its limit (waitingCalls)")
    }
    guard waiting.count < idleCount || byteCount <= limits.bytes - waiting.bytes else {
      return .busy(
        "calls with \(waiting.bytes) bytes of pictures wait for the pool, and one more has "
          + "\(byteCount): its limit is \(limits.bytes) bytes (waitingBytes)")
    }
    return nil
  }

  /// The call that came first, for a viewer that has nothing to do until then.
  package mutating func next() -> (any PoolWork<Viewer>)? {
    guard head < calls.count, let call = calls[head] else { return nil }
    calls[head] = nil
    head += 1
    idleCount -= 1
    leave(call)
    // What was handed out is dropped in lots: long queues are not moved for each call.
    if 2 * head > calls.count { compact() }
    return call
  }

  /// Notes that a viewer has nothing to do any more.
  mutating func noteIdle() { idleCount += 1 }

  /// Notes that a call ended while it waited, or before; they are dropped in lots too.
  package mutating func noteEnd(of call: any PoolWork<Viewer>) {
    guard leave(call) else { return }
    endedCount += 1
    if 2 * endedCount > calls.count - head { compact() }
  }

  /// A call may be handed out and end at the same time: it leaves once; whether that was now.
  @discardableResult
  private mutating func leave(_ call: any PoolWork<Viewer>) -> Bool {
    guard call.leave() else { return false }
    waiting.count -= 1
    waiting.bytes -= call.byteCount
    return true
  }

  private mutating func compact() {
    calls = calls.filter { $0.map { !$0.isOver } ?? false }
    (head, endedCount) = (0, 0)
  }
}
