import OcellusEngine
import OcellusImaging
import OcellusVision
import Synchronization
import Testing

/// Trackers for many streams.
@Suite struct TrackerPoolTests {
  private static func object(_ x: Double = 0, score: Float = 0.5) -> Detection {
    Detection(
      box: BoundingBox(x: 100 + x, y: 100, width: 50, height: 50),
      categories: [Category(index: 0, score: score)])
  }

  private func identities(
    _ pool: TrackerPool<String>, _ stream: String, _ milliseconds: Int, _ objects: [Detection]
  ) async throws -> [Int?] {
    try await pool.track(in: stream, at: .milliseconds(milliseconds)) { objects }.map(\.trackingID)
  }

  private static func isBusy(_ call: () async throws -> Void) async -> Bool {
    do { try await call() } catch VisionError.busy { return true } catch { return false }
    return false
  }

  @Test func streamsHaveTheirOwnIdentities() async throws {
    let pool = TrackerPool<String>()
    let pair = [Self.object(), Self.object(300)]
    #expect(try await identities(pool, "a", 0, pair) == [1, 2])
    #expect(try await identities(pool, "b", 0, [Self.object(300)]) == [1])
    #expect(try await identities(pool, "a", 40, pair.reversed()) == [2, 1])
    // Times are those of the stream.
    #expect(try await identities(pool, "b", 10, [Self.object(300)]) == [1])
    #expect(pool.streamCount == 2)
    let error = await #expect(throws: VisionError.self) {
      try await identities(pool, "a", 39, pair)
    }
    guard case .tracking(.timeWentBackwards)? = error else {
      Issue.record("another error")
      return
    }
    pool.remove("a")
    #expect(try await identities(pool, "a", 0, [Self.object()]) == [1])
  }

  /// A frame waits for the earlier one of its stream, and not for those of others.
  @Test func framesKeepTheirOrder() async throws {
    let pool = TrackerPool<String>(.init(waitingFrames: 1))
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let (arrivals, arrival) = AsyncStream.makeStream(of: Int.self)
    let first = Task {
      try await pool.track(in: "a", at: .zero) {
        arrival.yield(1)
        for await _ in gate { break }
        return [Self.object()]
      }
    }
    var order = arrivals.makeAsyncIterator()
    #expect(await order.next() == 1)
    let second = Task {
      try await pool.track(in: "a", at: .milliseconds(40)) {
        arrival.yield(2)
        return [Self.object(2)]
      }
    }
    while pool.waitingFrameCount(of: "a") == 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(await Self.isBusy { _ = try await identities(pool, "a", 80, []) })
    #expect(try await identities(pool, "b", 0, [Self.object()]) == [1])
    arrival.yield(3)
    #expect(await order.next() == 3)
    opener.yield()
    #expect(try await first.value.map(\.trackingID) == [1])
    #expect(try await second.value.map(\.trackingID) == [1])
    #expect(await order.next() == 2)
  }

  /// A frame that fails or is cancelled leaves the tracker as it was, and the turn to the next.
  @Test func failuresChangeNothing() async throws {
    struct Failure: Error {}
    let pool = TrackerPool<String>()
    #expect(try await identities(pool, "a", 0, [Self.object()]) == [1])
    await #expect(throws: Failure.self) {
      try await pool.track(in: "a", at: .milliseconds(40)) { throw Failure() }
    }
    let error = await #expect(throws: VisionError.self) {
      try await pool.track(in: "a", at: .milliseconds(40), within: .milliseconds(1)) {
        try await Task.sleep(for: .seconds(100))
        return []
      }
    }
    guard case .model(let reason)? = error else {
      Issue.record("another error")
      return
    }
    #expect(reason.kind == .deadlineExceeded)
    // Those frames were never seen, so an earlier time is still possible.
    #expect(try await identities(pool, "a", 20, [Self.object(1)]) == [1])
  }

  @Test func idleStreamsAreForgotten() async throws {
    let clock = Mutex(ContinuousClock.now)
    let pool = TrackerPool<String>(
      .init(maximumStreams: 2, idleTime: .seconds(10)), now: { clock.withLock { $0 } })
    #expect(try await identities(pool, "a", 0, [Self.object(), Self.object(300)]) == [1, 2])
    clock.withLock { $0 += .seconds(6) }
    _ = try await identities(pool, "b", 0, [])
    #expect(await Self.isBusy { _ = try await identities(pool, "c", 0, []) })
    clock.withLock { $0 += .seconds(5) }
    // Now "a" is idle for 11 seconds, and "b" for 5.
    _ = try await identities(pool, "c", 0, [])
    #expect(pool.streamCount == 2)
    clock.withLock { $0 += .seconds(6) }
    // "a" begins anew, even with an earlier time.
    #expect(try await identities(pool, "a", 0, [Self.object(300)]) == [1])
    #expect(await Self.isBusy { _ = try await identities(pool, "b", 1, []) })
  }

  /// What is being processed is not forgotten, however long it takes.
  @Test func busyStreamsAreKept() async throws {
    let clock = Mutex(ContinuousClock.now)
    let pool = TrackerPool<String>(
      .init(maximumStreams: 1, idleTime: .seconds(10)), now: { clock.withLock { $0 } })
    _ = try await pool.track(in: "a", at: .zero) {
      clock.withLock { $0 += .seconds(60) }
      #expect(await Self.isBusy { _ = try await pool.track(in: "b", at: .zero) { [] } })
      return []
    }
    #expect(pool.streamCount == 1)
  }

  /// Without options, a tracker follows what detectors report; the preset expects more.
  @Test(arguments: [Float(0.25), 0.5, 0.69])
  func trackersFollowUncertainObjects(score: Float) throws {
    var tracker = Tracker()
    var strict = Tracker(.default)
    for frame in 0..<4 {
      let time = Duration.milliseconds(40 * frame)
      #expect(try tracker.update([Self.object(score: score)], at: time).map(\.id) == [1])
      #expect(try strict.update([Self.object(score: score)], at: time).isEmpty)
    }
    #expect(try tracker.update([Self.object(500, score: 0.24)], at: .seconds(1)).isEmpty)
  }
}
