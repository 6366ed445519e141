import Foundation
import OcellusEngine
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Synchronization
import Testing

@Suite struct PoolTests {
  private let image: Image

  init() throws {
    image = try Self.picture()
  }

  private static func picture() throws -> Image {
    let folder = try EmbeddedModel.detector.path.split(separator: "/").dropLast()
    return try Image(contentsOf: "/\(folder.joined(separator: "/"))/samples/balloon.jpg")
  }

  /// Has no budget: under the thread sanitizer a run may exceed the default one.
  private func detector(
    _ options: ObjectDetector.Options = .init(budget: .unlimited)
  ) throws -> ObjectDetector {
    try ObjectDetector(path: EmbeddedModel.detector.path, options: options)
  }

  /// Runs on 1,601 tiles of the picture, which takes some seconds.
  private static func slowDetector() throws -> ObjectDetector {
    try ObjectDetector(
      path: EmbeddedModel.detector.path,
      options: .init(tiling: Tiling(columns: 40, rows: 40)))
  }

  @Test func poolsFindWhatDetectorsFind() async throws {
    let expected = try detector().detect(in: image)
    let pool = try DetectorPool(detector(), count: 2)
    #expect(try await pool.detect(in: image) == expected)
    let batch = try await pool.detect(in: Array(repeating: image, count: 5))
    #expect(batch == Array(repeating: expected, count: 5))
  }

  /// A thousand simultaneous calls all end, without memory for each, and without starving other
  /// tasks.
  @Test func aThousandCallsStarveNothing() async {
    await #expect(processExitsWith: .success) { try await PoolTests.callAThousandTimes() }
  }

  /// Runs in its own process, because other tests allocate memory as well.
  private static func callAThousandTimes() async throws {
    let pool = try DetectorPool(ObjectDetector(path: EmbeddedModel.detector.path), count: 2)
    let picture = try picture()
    _ = try await pool.detect(in: Array(repeating: picture, count: 20))
    let before = try residentBytes()
    let ticks = Mutex(0)
    let ticker = Task {
      while !Task.isCancelled {
        ticks.withLock { $0 += 1 }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1000 {
        group.addTask { try await pool.detect(in: picture).count }
      }
      var counts: Set<Int> = []
      for try await count in group { counts.insert(count) }
      #expect(counts.count == 1)
      // The calls take seconds, in which there are hundreds of ticks on an idle machine.
      #expect(ticks.withLock { $0 } > 20)
    }
    ticker.cancel()
    #expect(pool.waitingCount == 0)
    #expect(try residentBytes() - before < 16 << 20)
  }

  /// The process's resident memory.
  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(text.split(separator: " ")[1])) * 4096
  }

  /// Runs in its own process, where no other test occupies the threads of Swift's executor.
  @Test func aRunningCallIsCancelled() async {
    await #expect(processExitsWith: .success) { try await PoolTests.cancelWhileRunning() }
  }

  private static func cancelWhileRunning() async throws {
    let pool = try DetectorPool(slowDetector(), count: 1)
    let picture = try picture()
    let call = Task { try await pool.detect(in: picture) }
    try await Task.sleep(for: .milliseconds(200))
    let start = clock()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    // The whole call would take ten seconds of a processor, which no other test uses here.
    #expect(clock() - start < 2 * CLOCKS_PER_SEC)
    // The viewer serves the next call.
    let labels = try await pool.withViewer { $0.labels.count }
    #expect(labels == 6)
  }

  @Test func aWaitingCallIsCancelledAtOnce() async throws {
    let pool = try DetectorPool(detector(), count: 1)
    let picture = image
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let isHeld = Mutex(true)
    let holder = Task {
      try await pool.withViewer { _ in
        opener.yield()
        while isHeld.withLock({ $0 }) {}
      }
    }
    for await _ in gate { break }
    let calls = (0..<100).map { _ in Task { try await pool.detect(in: picture) } }
    for call in calls { call.cancel() }
    for call in calls {
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    isHeld.withLock { $0 = false }
    try await holder.value
    #expect(try await !pool.detect(in: picture).isEmpty)
  }

  @Test func callsOfCancelledTasksDoNotBegin() async throws {
    let pool = try DetectorPool(detector(), count: 1)
    let picture = image
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await pool.detect(in: picture)
    }
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func timeIsLimited() async {
    await #expect(processExitsWith: .success) { try await PoolTests.runOutOfTime() }
  }

  private static func runOutOfTime() async throws {
    let pool = try DetectorPool(slowDetector(), count: 1)
    let picture = try picture()
    let error = await #expect(throws: VisionError.self) {
      try await pool.detect(in: picture, within: .milliseconds(100))
    }
    guard case .model(let error)? = error else {
      Issue.record("another error")
      return
    }
    #expect(error.kind == .deadlineExceeded)
  }

  @Test func streamsHaveOneRecognizer() async throws {
    let recognizer = ObjectRecognizer(try detector())
    #expect(throws: VisionError.self) { try ViewerPool(recognizer, count: 2) }
    let pool = try ViewerPool(recognizer)
    #expect(pool.count == 1)
    var ids: [[Int?]] = []
    for frame in 0..<4 {
      ids.append(
        try await pool.process(image, at: .milliseconds(40 * frame)).map(\.trackingID))
    }
    #expect(ids[3].contains { $0 != nil })
    #expect(ids[2] == ids[3])
  }

  /// The detector's errors reach the caller.
  @Test func errorsComeThrough() async throws {
    let pool = try DetectorPool(detector())
    await #expect(throws: VisionError.self) {
      try await pool.detect(in: image, region: BoundingBox(x: -9, y: 0, width: 1, height: 1))
    }
    #expect(throws: VisionError.self) { try DetectorPool(detector(), count: 0) }
  }
}
