import Foundation
import OcellusEngine
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Synchronization
import Testing

/// Pictures that a pool reads from encoded files.
@Suite struct PoolPictureTests {
  private let file: [UInt8]
  private let image: Image

  init() throws {
    file = try Self.sample()
    image = try Image(decoding: file)
  }

  private static func sample() throws -> [UInt8] {
    let folder = try EmbeddedModel.detector.path.split(separator: "/").dropLast()
    let path = "/\(folder.joined(separator: "/"))/samples/balloon.jpg"
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func detector(_ options: ObjectDetector.Options = .init()) throws -> ObjectDetector {
    try ObjectDetector(path: EmbeddedModel.detector.path, options: options)
  }

  /// Returns the sample, upright and enlarged by `factor`.
  private func large(_ factor: Int) throws -> Image {
    let size = image.upright().size
    return try image.upright().resized(
      to: PixelSize(width: size.width * factor, height: size.height * factor),
      using: .pillowBilinear)
  }

  @Test func filesAreReadAsPicturesAre() async throws {
    let pool = try DetectorPool(detector(.init(numerics: .exact)), count: 2)
    let expected = try detector(.init(numerics: .exact)).detect(in: image)
    #expect(try await pool.detect(decoding: file) == expected)
  }

  /// Boxes are in pixels of the file, even if it was decoded at a fraction of its size.
  @Test(arguments: ["jpg", "png", "bmp", "ppm"])
  func boxesAreInPixelsOfTheFile(format: String) async throws {
    let picture = try large(4)
    let encoding: ImageEncoding =
      switch format {
      case "jpg": .jpeg(quality: 95)
      case "png": .png()
      case "bmp": .bmp
      default: .pnm
      }
    let pool = try DetectorPool(detector(), count: 1)
    let expected = try #require(try detector().detect(in: picture).first)
    let encoded = try picture.encoded(as: encoding)
    let found = try #require(try await pool.detect(decoding: encoded).first)
    #expect(found.categories.first?.label == expected.categories.first?.label)
    #expect(found.box.intersectionOverUnion(expected.box) > 0.9)
    // The region is in pixels of the file, too.
    let region = expected.box.offset(x: -20, y: -20)
    let inRegion = try #require(
      try await pool.detect(decoding: encoded, region: region).first)
    let wanted = try #require(try detector().detect(in: picture, region: region).first)
    #expect(inRegion.box.intersectionOverUnion(wanted.box) > 0.8)
  }

  @Test func labelersAndRecognizersReadFiles() async throws {
    let labeler = try ImageLabeler()
    let labels = try ViewerPool(labeler, count: 1)
    let best = try await labels.labels(decoding: file).first
    #expect(try best?.label == ImageLabeler().labels(in: image).first?.label)
    let recognizers = try ViewerPool(ObjectRecognizer(detector()))
    let expected = ObjectRecognizer(try detector())
    for frame in 0..<4 {
      let time = Duration.milliseconds(40 * frame)
      let found = try await recognizers.process(decoding: file, at: time)
      #expect(try found == expected.process(image, at: time))
    }
  }

  @Test func whatIsWrongWithAPictureIsItsError() async throws {
    let pool = try DetectorPool(detector(), count: 1)
    let error = await #expect(throws: ImageError.self) {
      try await pool.detect(decoding: [1, 2, 3])
    }
    #expect(error?.kind == .unsupported)
    // The pool still works.
    #expect(try await !pool.detect(decoding: file).isEmpty)
  }

  /// A picture is rejected if decoding it as the detector needs it would exceed a memory limit: that
  /// of each picture, or that of all together.
  @Test(arguments: [false, true]) func memoryIsLimited(together: Bool) async throws {
    var options = DetectorPool.Options()
    if together {
      options.decodingBytes = 1 << 20
    } else {
      options.decoding.limits.maximumBytes = 1 << 20
    }
    let pool = try DetectorPool(detector(), count: 2, options: options)
    let size = PixelSize(width: 4000, height: 4000)
    let file = try Image(uninitialized: .gray8, size: size).encoded(as: .pnm)
    // Decoded at a fraction of its size, the picture fits.
    _ = try await pool.detect(decoding: file)
    let exact = try DetectorPool(
      detector(.init(numerics: .exact)), count: 2, options: options)
    let error = await #expect(throws: ImageError.self) {
      try await exact.detect(decoding: file)
    }
    #expect(error?.kind == .tooLarge)
    #expect(error?.message.contains("maximumBytes") == true)
  }

  /// Pictures of more than 16 megapixels take another way, and their boxes are in pixels of the
  /// file, too, whatever `minimumSize` says.
  @Test func boxesOfGiantsAreInPixelsOfTheFile() async throws {
    let picture = try large(9)
    #expect(picture.size.width * picture.size.height > 1 << 24)
    let encoded = try picture.encoded(as: .jpeg(quality: 80))
    var decoding = ImageDecodingOptions()
    decoding.minimumSize = PixelSize(width: 7, height: 7)
    let pool = try DetectorPool(detector(), count: 1, options: .init(decoding: decoding))
    let expected = try #require(try detector().detect(in: picture).first)
    let found = try #require(try await pool.detect(decoding: encoded).first)
    #expect(found.categories.first?.label == expected.categories.first?.label)
    #expect(found.box.intersectionOverUnion(expected.box) > 0.9)
    #expect(found.imageSize == picture.size)
    let received = try await pool.detect(receiving: encoded.count) { encoded }
    #expect(received.first == found)
  }

  /// Holds the viewers of a pool until it is told to let them go.
  private struct Holder {
    private let isHeld = SharedValue(true)
    private let tasks: [Task<Void, any Error>]

    init(_ pool: DetectorPool) async {
      let isHeld = isHeld
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      tasks = (0..<pool.count).map { _ in
        Task {
          try await pool.withViewer { _ in
            opener.yield()
            while isHeld.value { usleep(1000) }
          }
        }
      }
      var count = 0
      for await _ in gate {
        count += 1
        if count == pool.count { break }
      }
    }

    func release() async throws {
      isHeld.value = false
      for task in tasks { try await task.value }
    }
  }

  @Test func fullPoolsRefuseAtOnce() async throws {
    let pool = try DetectorPool(
      detector(), count: 2, options: .init(waitingCalls: 3, waitingBytes: 2 * file.count))
    let holder = await Holder(pool)
    let (file, image) = (file, image)
    let first = Task { try await pool.detect(decoding: file) }
    let second = Task { try await pool.detect(decoding: file) }
    while pool.waitingCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
    let bytes = await Self.refusal { try await pool.detect(decoding: file) }
    #expect(bytes?.contains("waitingBytes") == true)
    let third = Task { try await pool.detect(in: image) }
    while pool.waitingCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
    let calls = await Self.refusal { try await pool.detect(in: image) }
    #expect(calls?.contains("3 calls wait") == true)
    #expect(await Self.refusal { try await pool.detect(in: [image, image]).flatMap { $0 } } != nil)
    // A cancelled call frees its slot in the queue.
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(pool.waitingCount == 2)
    let fourth = Task { try await pool.detect(in: image) }
    while pool.waitingCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
    try await holder.release()
    for call in [first, second, fourth] { #expect(try await !call.value.isEmpty) }
    #expect(pool.waitingCount == 0)
    #expect(try await !pool.detect(decoding: file).isEmpty)
  }

  private static func refusal(_ call: () async throws -> [Detection]) async -> String? {
    do {
      _ = try await call()
      return nil
    } catch VisionError.busy(let message) {
      return message
    } catch {
      Issue.record("another error: \(error)")
      return nil
    }
  }

  /// A pool that lets no call wait still serves one call at a time.
  @Test func nobodyHasToWait() async throws {
    let pool = try DetectorPool(detector(), count: 1, options: .init(waitingCalls: 0))
    for _ in 0..<20 { #expect(try await !pool.detect(decoding: file).isEmpty) }
    let holder = await Holder(pool)
    #expect(await Self.refusal { try await pool.detect(decoding: file) } != nil)
    try await holder.release()
  }

  /// The pictures of one call do not count as waiting calls.
  @Test func manyPicturesOfOneCall() async throws {
    let pool = try DetectorPool(detector(), count: 1, options: .init(waitingCalls: 1))
    let images = Array(repeating: image, count: 30)
    #expect(try await pool.detect(in: images).count == 30)
  }

  /// A deadline and a cancellation end a call while its picture is read.
  ///
  /// It runs in its own process, where no other test occupies the threads of Swift's executor.
  @Test func timePassesWhileAPictureIsRead() async {
    await #expect(processExitsWith: .success) { try await PoolPictureTests.endWhileReading() }
  }

  private static func endWhileReading() async throws {
    let detector = try ObjectDetector(path: EmbeddedModel.detector.path)
    let pool = try DetectorPool(detector, count: 1)
    // Samples with another maximum than 255 are converted one by one, which takes seconds.
    let size = 15_000
    let header = Array("P5 \(size) \(size) 254\n".utf8)
    let file = header + [UInt8](repeating: 9, count: size * size)
    let picture = try sample()
    for isCancelled in [false, true] {
      let call = Task {
        try await pool.detect(decoding: file, within: isCancelled ? nil : .milliseconds(50))
      }
      try await Task.sleep(for: .milliseconds(100))
      if isCancelled { call.cancel() }
      let outcome = await call.result
      switch outcome {
      case .failure(let error):
        #expect(isCancelled ? error is CancellationError : error is VisionError, "\(error)")
      case .success: Issue.record("it was not stopped")
      }
      // Nobody waits for the rest of the picture, and the viewer serves the next call.
      let start = clock()
      #expect(try await !pool.detect(decoding: picture).isEmpty)
      let busy = Double(clock() - start) / Double(CLOCKS_PER_SEC)
      #expect(busy < 1.5)
    }
  }
}

/// A value shared by tasks.
private final class SharedValue<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
