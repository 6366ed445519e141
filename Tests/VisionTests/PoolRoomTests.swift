import Foundation
import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision
import Testing

/// The calls and bytes that a pool counts, holds and frees, at whatever moment a call ends.
@Suite struct PoolRoomTests {
  private typealias Request = PoolRequest<ObjectDetector, Int>
  private static let limits = (calls: 4, bytes: 100)
  /// A wait longer than this counts as endless.
  private static let patience = Duration.seconds(30)

  private func pool(
    count: Int, memory: Int = 1 << 28, waitingCalls: Int = 1024
  ) throws -> DetectorPool {
    var decoding = ImageDecodingOptions()
    decoding.limits.maximumBytes = memory
    return try DetectorPool(
      ObjectDetector(path: EmbeddedModel.detector.path), count: count,
      options: .init(waitingCalls: waitingCalls, decoding: decoding))
  }

  /// Waits for the answer to a request, and calls `meanwhile` once the wait has begun.
  private func wait(for request: Request, _ meanwhile: () -> Void) async -> (any Error)? {
    do {
      _ = try await withCheckedThrowingContinuation { caller in
        #expect(request.begin(caller))
        meanwhile()
      }
      return nil
    } catch {
      return error
    }
  }

  // MARK: The queue

  /// A call that ends before it enters the queue is not counted.
  @Test func callsThatEndOnTheWayToTheQueueDoNotCount() async {
    let ended = Request(byteCount: 7) { _, _ in 1 }
    let error = await wait(for: ended) {
      var queue = CallQueue<ObjectDetector>(viewers: 0)
      #expect(ended.stop(CancellationError()))
      queue.noteEnd(of: ended)
      let refusal = queue.append(ended, Self.limits)
      #expect(refusal == nil)
      #expect(queue.waiting.count == 0 && queue.waiting.bytes == 0)
      let next = queue.next()
      #expect(next == nil)
    }
    #expect(error is CancellationError)
  }

  /// A call that was refused and then cancelled is not counted.
  @Test func refusedCallsDoNotCount() async {
    let refused = Request(byteCount: 101) { _, _ in 1 }
    _ = await wait(for: refused) {
      var queue = CallQueue<ObjectDetector>(viewers: 0)
      let refusal = queue.append(refused, Self.limits)
      #expect(refusal != nil)
      #expect(refused.stop(CancellationError()))
      queue.noteEnd(of: refused)
      #expect(queue.waiting.count == 0 && queue.waiting.bytes == 0)
    }
  }

  @Test func callsThatEndWhileTheyWaitLeaveOnce() async {
    let call = Request(byteCount: 7) { _, _ in 1 }
    _ = await wait(for: call) {
      var queue = CallQueue<ObjectDetector>(viewers: 1)
      let refusal = queue.append(call, Self.limits)
      #expect(refusal == nil)
      #expect(queue.waiting.count == 1 && queue.waiting.bytes == 7)
      #expect(call.stop(CancellationError()))
      for _ in 0..<2 {
        queue.noteEnd(of: call)
        #expect(queue.waiting.count == 0 && queue.waiting.bytes == 0)
      }
    }
  }

  private final class File: Sendable {}

  /// A cancelled call frees its bytes at once, even while it is still in the queue.
  @Test func stoppedCallsKeepNothing() async {
    weak var file: File?
    let request = {
      let kept = File()
      file = kept
      return Request { _, _ in withExtendedLifetime(kept) { 1 } }
    }()
    #expect(file != nil)
    _ = await wait(for: request) { request.stop(CancellationError()) }
    #expect(file == nil)
    withExtendedLifetime(request) {}
  }

  /// The pictures of one call enter the queue in any order, and none of them is refused.
  @Test func picturesOfOneCallAreNotRefusedForEachOther() async throws {
    let pool = try pool(count: 1, waitingCalls: 0)
    let image = Image(uninitialized: .gray8, size: PixelSize(width: 1, height: 1))
    for _ in 0..<200 {
      let answers = try await pool.distribute([image, image, image], within: nil) { _, images in
        images.map { _ in true }
      }
      #expect(answers == [true, true, true])
    }
  }

  // MARK: Memory

  /// Decodes the whole picture, whatever size the detector needs.
  private static let purpose = PicturePurpose(
    size: nil, fit: .stretch, region: nil, resampler: .pillowBilinear)

  private func file(side: Int) throws -> [UInt8] {
    let size = PixelSize(width: side, height: side)
    let bytes = [UInt8](repeating: 0, count: 3 * side * side)
    return try Image(.rgb8, size: size, bytes: bytes).encoded(as: .png())
  }

  /// Reading frees its memory: the limit allows one picture to be read at a time, and two to be
  /// held.
  @Test func whatReadingTookIsFreeAgain() async throws {
    let pool = try pool(count: 2, memory: 400_000)
    let file = try file(side: 64)
    let arrivals = Monitor(0)
    let meeting: @Sendable () async throws -> Bool = {
      try await pool.withPicture(decoding: file, within: nil, for: { _ in Self.purpose }) { _, _ in
        arrivals.change { $0 += 1 }
        return arrivals.wait(upTo: Self.patience) { $0 == 2 ? true : nil } ?? false
      }
    }
    async let first = meeting()
    async let second = meeting()
    let meetings = try await [first, second]
    #expect(meetings == [true, true])
  }

  /// A viewer that waits for memory serves the next call as soon as its own call is cancelled.
  @Test func viewersDoNotWaitForWhoHasGone() async throws {
    let pool = try pool(count: 2, memory: 500_000)
    let file = try file(side: 256)
    let isHeld = Monitor(true)
    defer { isHeld.change { $0 = false } }
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let holder = Task {
      try await pool.withPicture(decoding: file, within: nil, for: { _ in Self.purpose }) { _, _ in
        opener.yield()
        isHeld.wait { $0 ? nil : () }
      }
    }
    for await _ in gate { break }
    let gone = Task {
      try await pool.withPicture(
        decoding: file, within: nil,
        for: { _ in
          opener.yield()
          return Self.purpose
        }
      ) { _, _ in }
    }
    for await _ in gate { break }
    // Now the viewer waits for memory.
    try await Task.sleep(for: .milliseconds(200))
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    let answer = try await pool.withViewer(within: Self.patience) { _ in true }
    #expect(answer)
    isHeld.change { $0 = false }
    try await holder.value
  }

  /// A cancelled caller leaves the queue for memory from any position.
  @Test func whoHasGoneDoesNotWaitForItsTurn() throws {
    let share = MemoryBudget(limit: 10)
    #expect(share.take(8) { false })
    let asked = Monitor(Set<String>())
    let gone = Monitor(Set<String>())
    let answers = Monitor([String: Bool]())
    for name in ["first", "second"] {
      Thread.detachNewThread {
        let answer = share.take(8) {
          asked.change { _ = $0.insert(name) }
          return gone.change { $0.contains(name) }
        }
        answers.change { $0[name] = answer }
      }
      // It waits before the next one comes.
      try #require(asked.wait(upTo: Self.patience) { $0.contains(name) ? true : nil } == true)
    }
    gone.change { _ = $0.insert("second") }
    share.recheckWaiters()
    #expect(answers.wait(upTo: Self.patience) { $0["second"] } == false)
    #expect(answers.change { $0["first"] } == nil)
    share.giveBack(8)
    #expect(answers.wait(upTo: Self.patience) { $0["first"] } == true)
  }
}
