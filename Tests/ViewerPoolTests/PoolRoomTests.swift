import Foundation
import OcellusEngine
import OcellusImaging
import OcellusPlatform
import OcellusVision
import Testing

/// The calls and bytes that a pool counts, holds and frees, at whatever moment a call ends.
@Suite struct PoolRoomTests {
  private typealias Request = PoolRequest<ObjectDetector, Int>
  /// A wait longer than this counts as endless.
  private static let patience = Duration.seconds(600)

  private func pool(
    count: Int, decodingBytes: Int = 1 << 28, waitingCalls: Int = 1024,
    waitingBytes: Int = 1 << 28
  ) throws -> DetectorPool {
    try DetectorPool(
      ObjectDetector(path: EmbeddedModel.detector.path), count: count,
      options: .init(
        waitingCalls: waitingCalls, waitingBytes: waitingBytes, decodingBytes: decodingBytes))
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
  @Test func callsThatEndOnTheWayToTheQueueDoNotCount() async throws {
    var queue = CallQueue<ObjectDetector>(viewers: 0)
    let ended = Request(at: try queue.enter(limit: 4)) { _, _ in 1 }
    #expect(queue.waitingCount == 1)
    let error = await wait(for: ended) { #expect(ended.stop(CancellationError())) }
    #expect(error is CancellationError)
    queue.noteEnd(of: ended)
    #expect(queue.waitingCount == 0)
    queue.append(ended)
    let next = queue.next()
    #expect(next == nil)
  }

  @Test func callsThatEndWhileTheyWaitLeaveOnce() async throws {
    var queue = CallQueue<ObjectDetector>(viewers: 1)
    let call = Request(at: try queue.enter(limit: 4)) { _, _ in 1 }
    queue.append(call)
    #expect(queue.waitingCount == 1)
    _ = await wait(for: call) { #expect(call.stop(CancellationError())) }
    for _ in 0..<2 {
      queue.noteEnd(of: call)
      #expect(queue.waitingCount == 0)
    }
  }

  /// Large pictures take at most three quarters of the places; refused calls take none.
  @Test func placesAreLimited() throws {
    var queue = CallQueue<ObjectDetector>(viewers: 0)
    var places: [WaitingPlace] = []
    for _ in 0..<3 { places.append(try queue.enter(isLarge: true, limit: 4)) }
    let large = #expect(throws: VisionError.self) { try queue.enter(isLarge: true, limit: 4) }
    #expect(large?.description.contains("3 of them with large pictures") == true)
    places.append(try queue.enter(limit: 4))
    #expect(throws: VisionError.self) { try queue.enter(limit: 4) }
    #expect(queue.waitingCount == 4)
    for place in places {
      let hasLeft = queue.leave(place)
      #expect(hasLeft)
    }
    #expect(queue.waitingCount == 0)
    _ = try queue.enter(isLarge: true, limit: 4)
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

  /// Holds calls of a pool until it is told to let them go.
  private struct Gate: Sendable {
    private let isClosed = Monitor(true)
    private let arrivals = Monitor(0)

    func wait() {
      arrivals.change { $0 += 1 }
      isClosed.wait { $0 ? nil : () }
    }

    func open() { isClosed.change { $0 = false } }

    /// The number of calls that have arrived.
    var count: Int { arrivals.change { $0 } }
  }

  private static func until(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + patience
    while !condition() {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// The header tells the memory of a picture and its size, and needs no pixels.
  @Test func headersTellTheCost() throws {
    var options = ImageDecodingOptions()
    let whole = try DecodingCost(ofDecoding: file(side: 100), options: options)
    #expect(whole.size == PixelSize(width: 100, height: 100))
    #expect((30_000..<1 << 20).contains(whole.bytes))
    let jpeg = try Image(uninitialized: .gray8, size: PixelSize(width: 3000, height: 2000))
      .encoded(as: .jpeg(quality: 50))
    options.minimumSize = PixelSize(width: 300, height: 200)
    let reduced = try DecodingCost(ofDecoding: Array(jpeg.prefix(700)), options: options)
    #expect(reduced.size == PixelSize(width: 3000, height: 2000))
    #expect(reduced.bytes < 3000 * 2000 / 4)
    options.limits.maximumPixels = 3000 * 2000 - 1
    #expect(throws: ImageError.self) { try DecodingCost(ofDecoding: jpeg, options: options) }
    #expect(throws: ImageError.self) { try DecodingCost(ofDecoding: [1, 2], options: options) }
  }

  /// Reading frees its memory: the limit allows one large picture to be read at a time, and two to
  /// be held.
  @Test func whatReadingTookIsFreeAgain() async throws {
    let file = try file(side: 1800)
    let held = 3 * 1800 * 1800
    let cost = try DecodingCost(ofDecoding: file, options: .init())
    #expect(cost.bytes > held)
    let pool = try pool(count: 2, decodingBytes: held + cost.bytes)
    let arrivals = Monitor(0)
    let meeting: @Sendable () async throws -> Bool = {
      try await pool.withPicture(of: .bytes(file), within: nil, for: { _ in Self.purpose }) {
        _, _ in
        arrivals.change { $0 += 1 }
        return arrivals.wait(upTo: Self.patience) { $0 == 2 ? true : nil } ?? false
      }
    }
    async let first = meeting()
    async let second = meeting()
    let meetings = try await [first, second]
    #expect(meetings == [true, true])
  }

  /// Large pictures that wait for memory occupy no viewer: a small one passes them.
  @Test func smallPicturesPassGiants() async throws {
    let (giant, small) = (try file(side: 1800), try file(side: 64))
    let pool = try pool(count: 2, decodingBytes: 3 * 1800 * 1800 * 3 / 2)
    let gate = Gate()
    defer { gate.open() }
    let giants = (0..<10).map { _ in
      Task {
        try await pool.withPicture(
          of: .bytes(giant), within: nil, for: { _ in Self.purpose }
        ) { _, _ in gate.wait() }
      }
    }
    try await Self.until { gate.count == 1 && pool.waitingCount == 9 }
    let found = try await pool.detect(decoding: small, within: Self.patience)
    #expect(found.count < 100)
    // One of those that wait is cancelled; the memory of the first is used by the others in turn.
    giants[9].cancel()
    #expect(gate.count == 1)
    gate.open()
    var ended = 0
    for giant in giants { if case .success = await giant.result { ended += 1 } }
    #expect(ended >= 9)
    #expect(gate.count >= 9)
    #expect(pool.waitingCount == 0)
  }

  /// A call leaves the line for memory from any position, and those behind it move up.
  @Test func budgetsServeInOrder() async throws {
    let budget = ByteBudget(limit: 10)
    var held = budget.takeNow(8)
    #expect(held != nil && budget.used == 8)
    let answers = Monitor([String]())
    func waiter(_ name: String, _ bytes: Int) async throws -> Task<Void, any Error> {
      let count = budget.waiterCount
      let task = Task {
        let part = try await budget.take(bytes)
        answers.change { $0.append(name) }
        withExtendedLifetime(part) {}
      }
      try await Self.until { budget.waiterCount == count + 1 }
      return task
    }
    let first = try await waiter("first", 9)
    let second = try await waiter("second", 10)
    let third = try await waiter("third", 2)
    // It would fit, but others came earlier.
    #expect(budget.takeNow(2) == nil)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    try await third.value
    #expect(answers.change { $0 } == ["third"])
    let fourth = try await waiter("fourth", 9)
    held?.reduce(to: 1)
    try await fourth.value
    held = nil
    #expect(budget.used == 0 && budget.waiterCount == 0)
    // A single part may exceed the limit: those who take it check that.
    #expect(budget.takeNow(11) != nil)
  }

  @Test func partsAndWaitersAreLimited() async throws {
    let budget = ByteBudget(limit: 10, maximumParts: 1, maximumWaiters: 0)
    let part = budget.takeNow(0)
    #expect(part != nil && budget.takeNow(0) == nil)
    await #expect(throws: VisionError.self) { try await budget.take(0) }
    withExtendedLifetime(part) {}
  }

  // MARK: Files

  /// A file is received when there is room for it; small files do not wait for large ones.
  @Test func filesWaitForRoom() async throws {
    let file = try file(side: 64)
    let size = 8 * file.count
    let pool = try pool(count: 1, waitingCalls: 8, waitingBytes: size)
    let received = Monitor([Int]())
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let large = (0..<2).map { number in
      Task {
        try await pool.detect(receiving: size - 1) {
          received.change { $0.append(number) }
          for await _ in gate { break }
          return file
        }
      }
    }
    try await Self.until { received.change { $0.count } == 1 && pool.waitingCount == 2 }
    // A large file in memory has no room, a small one has.
    let refusal = await #expect(throws: VisionError.self) {
      try await pool.detect(decoding: file + [UInt8](repeating: 0, count: file.count))
    }
    #expect(refusal?.description.contains("waitingBytes") == true)
    _ = try await pool.detect(receiving: file.count, within: Self.patience) { file }
    #expect(received.change { $0.count } == 1)
    opener.yield()
    try await Self.until { received.change { $0.count } == 2 }
    opener.yield()
    for call in large { _ = try await call.value }
    #expect(pool.waitingCount == 0)
  }

  /// Giants with small files take the room of larger files, or none: others pass them.
  @Test func smallFilesOfGiantsMoveOn() async throws {
    let pixels = [UInt8](repeating: 0, count: 4200 * 4200)
    let giant = try Image(.gray8, size: PixelSize(width: 4200, height: 4200), bytes: pixels)
      .encoded(as: .jpeg(quality: 50))
    let size = 64 * giant.count
    let pool = try pool(count: 1, waitingBytes: size)
    let gate = Gate()
    defer { gate.open() }
    let holder = Task { try await pool.withViewer { _ in gate.wait() } }
    try await Self.until { gate.count == 1 }
    // The room for the smallest files is that of 16, and the large one is that of 64.
    let giants = (0..<20).map { _ in
      Task { try await pool.detect(receiving: giant.count) { giant } }
    }
    try await Self.until { pool.waitingCount == 20 }
    let small = try file(side: 64)
    #expect(small.count < giant.count)
    let received = Monitor(false)
    let call = Task {
      try await pool.detect(receiving: small.count) {
        received.change { $0 = true }
        return small
      }
    }
    try await Self.until { received.change { $0 } }
    gate.open()
    for giant in giants { _ = try await giant.value }
    _ = try await call.value
    // Now both larger rooms are taken.
    let silence: @Sendable () async throws -> [UInt8] = {
      try await Task.sleep(for: .seconds(1000))
      return []
    }
    let senders = [size, size / 8, size / 8].map { size in
      Task { try await pool.detect(receiving: size, silence) }
    }
    try await Self.until { pool.waitingCount == 3 }
    try await Task.sleep(for: .milliseconds(50))
    let error = await #expect(throws: VisionError.self) {
      try await pool.detect(receiving: giant.count, within: Self.patience) { giant }
    }
    #expect(error?.description.contains("no room") == true)
    _ = try await pool.detect(receiving: small.count, within: Self.patience) { small }
    for sender in senders {
      sender.cancel()
      _ = await sender.result
    }
    try await holder.value
    #expect(pool.waitingCount == 0)
  }

  @Test func filesAreAsLargeAsAnnounced() async throws {
    let file = try file(side: 64)
    let pool = try pool(count: 1, waitingBytes: 8 * file.count)
    for announced in [8 * file.count + 1, file.count - 1, 0, -1] {
      let error = await #expect(throws: ImageError.self) {
        try await pool.detect(receiving: announced) { file }
      }
      #expect(error?.kind == .tooLarge)
    }
    let large = file + [UInt8](repeating: 0, count: 8 * file.count)
    let error = await #expect(throws: ImageError.self) { try await pool.detect(decoding: large) }
    #expect(error?.message.contains("waitingBytes") == true)
    _ = try await pool.detect(receiving: 8 * file.count) { file }
  }

  /// Who sends nothing gives up its room when its time is over, and at once when it is cancelled.
  @Test func slowSendersLoseTheirRoom() async throws {
    let file = try file(side: 64)
    let pool = try pool(count: 1, waitingBytes: file.count)
    let begun = Monitor(false)
    let silence: @Sendable () async throws -> [UInt8] = {
      begun.change { $0 = true }
      try await Task.sleep(for: .seconds(1000))
      return []
    }
    let error = await #expect(throws: VisionError.self) {
      try await pool.detect(receiving: file.count, within: .milliseconds(20), silence)
    }
    guard case .model(let reason)? = error else {
      Issue.record("another error")
      return
    }
    #expect(reason.kind == .deadlineExceeded)
    begun.change { $0 = false }
    let call = Task { try await pool.detect(receiving: file.count, silence) }
    try await Self.until { begun.change { $0 } }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    _ = try await pool.detect(receiving: file.count, within: Self.patience) { file }
    #expect(pool.waitingCount == 0)
  }
}
