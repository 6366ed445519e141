/// The calls of a pool that wait for a viewer, in order of arrival.
package struct CallQueue<Viewer: PooledViewer> {
  private var calls: [(any PoolWork<Viewer>)?] = []
  /// The index of the first call that was not handed out.
  private var head = 0
  /// The number of queued calls that ended before they were handed out, because they were stopped.
  private var endedCount = 0
  /// The number of calls that wait: in this queue, or for what they need before they enter it.
  package private(set) var waitingCount = 0
  /// The number of waiting calls with large pictures.
  private var largeCount = 0
  /// The number of idle viewers.
  private var idleCount: Int
  /// Whether the queue accepts no more calls.
  var isClosed = false

  package init(viewers: Int) { idleCount = viewers }

  /// Counts a call as waiting, or throws an error for its caller when too many calls wait already.
  ///
  /// Large pictures take at most three quarters of the limit, so that there is room for others.
  package mutating func enter(isLarge: Bool = false, limit: Int) throws(VisionError) -> WaitingPlace
  {
    // Calls that idle viewers will take at once do not count.
    guard waitingCount - idleCount < limit, !isLarge || largeCount - idleCount < limit - limit / 4
    else {
      throw .busy(
        "\(waitingCount) calls wait for the pool already, \(largeCount) of them with large pictures: "
          + "its limit is \(limit), and three quarters of it for large ones (waitingCalls)")
    }
    waitingCount += 1
    if isLarge { largeCount += 1 }
    return WaitingPlace(isLarge: isLarge)
  }

  /// Counts a call as no longer waiting, once, even if it is handed out and ends at the same time.
  ///
  /// - Returns: Whether it was still waiting.
  @discardableResult
  package mutating func leave(_ place: WaitingPlace) -> Bool {
    guard place.leave() else { return false }
    waitingCount -= 1
    if place.isLarge { largeCount -= 1 }
    return true
  }

  /// Appends a call; one that was stopped earlier is not appended.
  package mutating func append(_ call: any PoolWork<Viewer>) {
    if !call.isOver { calls.append(call) }
  }

  /// Removes the oldest call, for a viewer that was idle until now.
  package mutating func next() -> (any PoolWork<Viewer>)? {
    guard head < calls.count, let call = calls[head] else { return nil }
    calls[head] = nil
    head += 1
    idleCount -= 1
    if let place = call.place { leave(place) }
    // Handed-out calls are removed in batches, so long queues are not shifted for each call.
    if 2 * head > calls.count { compact() }
    return call
  }

  /// Notes that a viewer has become idle.
  mutating func noteIdle() { idleCount += 1 }

  /// Notes that a call ended while or before it waited; ended calls are removed in batches too.
  package mutating func noteEnd(of call: any PoolWork<Viewer>) {
    if let place = call.place { guard leave(place) else { return } }
    endedCount += 1
    if 2 * endedCount > calls.count - head { compact() }
  }

  private mutating func compact() {
    calls = calls.filter { $0.map { !$0.isOver } ?? false }
    (head, endedCount) = (0, 0)
  }
}
