/// The calls of a pool that wait for a viewer, in order of arrival.
package struct CallQueue<Viewer: PooledViewer> {
  private var calls: [(any PoolWork<Viewer>)?] = []
  /// The index of the first call that was not handed out.
  private var head = 0
  /// The number of queued calls that ended before they were handed out, because they were stopped.
  private var endedCount = 0
  /// The number of waiting calls, and the bytes of their files.
  package private(set) var waiting = (count: 0, bytes: 0)
  /// The number of idle viewers.
  private var idleCount: Int
  /// Whether the queue accepts no more calls.
  var isClosed = false

  package init(viewers: Int) { idleCount = viewers }

  /// Appends a call, or returns the error for its caller when too many calls wait already.
  ///
  /// A call that was stopped earlier is not appended; its caller has its error already.
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

  /// Returns the error for a call with a file of the given size; `nil` when the queue accepts it.
  func refusal(ofBytes byteCount: Int, _ limits: (calls: Int, bytes: Int)) -> VisionError? {
    // A call that an idle viewer will take at once does not count as waiting.
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

  /// Removes the oldest call, for a viewer that was idle until now.
  package mutating func next() -> (any PoolWork<Viewer>)? {
    guard head < calls.count, let call = calls[head] else { return nil }
    calls[head] = nil
    head += 1
    idleCount -= 1
    leave(call)
    // Handed-out calls are removed in batches, so long queues are not shifted for each call.
    if 2 * head > calls.count { compact() }
    return call
  }

  /// Notes that a viewer has become idle.
  mutating func noteIdle() { idleCount += 1 }

  /// Notes that a call ended while or before it waited; ended calls are removed in batches too.
  package mutating func noteEnd(of call: any PoolWork<Viewer>) {
    guard leave(call) else { return }
    endedCount += 1
    if 2 * endedCount > calls.count - head { compact() }
  }

  /// Counts a call as no longer waiting, once, even if it is handed out and ends at the same time.
  ///
  /// - Returns: Whether it was still waiting.
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
