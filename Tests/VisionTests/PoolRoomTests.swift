import Foundation
import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision
import Testing

/// What a pool counts, keeps and hands out of room, whenever calls end.
@Suite struct PoolRoomTests {
  private typealias Request = PoolRequest<ObjectDetector, Int>
  private static let limits = (calls: 4, bytes: 100)
  /// So long, nobody waits who is not kept waiting for ever.
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

  /// Has somebody wait for the answer to a request, to which something happens `meanwhile`.
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

  /// A call may end after somebody waits for it, and before it is in the queue.
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

  /// Nor does one that was refused and then stopped.
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

  /// The bytes of a call that was stopped are free, though the call may stay in the queue for a while.
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

  /// The pictures of one call come to the queue in any order, and none of them is too much.
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

  /// Whole pictures, whatever the detector takes of them.
  private static let purpose = PicturePurpose(
    size: nil, fit: .stretch, region: nil, resampler: .pillowBilinear)

  private func file(side: Int) throws -> [UInt8] {
    let size = PixelSize(width: side, height: side)
    let bytes = [UInt8](repeating: 0, count: 3 * side * side)
    return try Image(.rgb8, size: size, bytes: bytes).encoded(as: .png())
  }

  /// There is room to read one picture at a time, and for two that were read.
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

  /// A viewer that waits for memory goes on with the next call when nobody wants the picture any more.
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
    // By then it waits, as there is no room.
    try await Task.sleep(for: .milliseconds(200))
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    let answer = try await pool.withViewer(within: Self.patience) { _ in true }
    #expect(answer)
    isHeld.change { $0 = false }
    try await holder.value
  }

  /// Who has gone leaves the line of those who wait, wherever it stands.
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
      // It is in line, before the next one comes.
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
