import Foundation
import MLKit
import OcellusTestSupport
import Testing

@Suite struct ObjectDetectorTests {
  private let models: SyntheticModelFiles
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  init() throws { models = try SyntheticModelFiles() }

  private func customOptions() -> CustomObjectDetectorOptions {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: models.labeler))
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    return options
  }

  private func detector(_ options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector.objectDetector(
      options: options, detectorModel: LocalModel(path: models.detector))
  }

  @Test func defaultsAreThoseOfTheOriginal() {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: ""))
    #expect(!options.shouldEnableClassification)
    #expect(!options.shouldEnableMultipleObjects)
    #expect(options.detectorMode == .stream)
    #expect(options.classificationConfidenceThreshold == nil)
    #expect([ObjectDetectorMode.singleImage, .stream].map(\.rawValue) == [0, 1])
  }

  @Test func multipleObjectsOrTheMostProminentOne() throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    let one = try detector(options).results(in: VisionImage(image: picture))
    #expect(one.map(\.frame) == [CGRect(x: 0, y: 0, width: 20, height: 10)])
    options.shouldEnableMultipleObjects = true
    let two = try detector(options).results(in: VisionImage(image: picture))
    #expect(two.count == 2)
    #expect(two.allSatisfy { $0.labels.isEmpty && $0.trackingID == nil })
  }

  @Test func detectorsCopyTheirOptions() throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    let detector = detector(options)
    options.shouldEnableMultipleObjects = true
    #expect(try detector.results(in: VisionImage(image: picture)).count == 1)
  }

  /// The rectangle of the upright picture's upper left quarter in 40 by 20 stored pixels.
  @Test(arguments: [
    (ImageOrientation.up, CGRect(x: 0, y: 0, width: 20, height: 10)),
    (.upMirrored, CGRect(x: 20, y: 0, width: 20, height: 10)),
    (.down, CGRect(x: 20, y: 10, width: 20, height: 10)),
    (.downMirrored, CGRect(x: 0, y: 10, width: 20, height: 10)),
    (.leftMirrored, CGRect(x: 0, y: 0, width: 20, height: 10)),
    (.right, CGRect(x: 0, y: 10, width: 20, height: 10)),
    (.rightMirrored, CGRect(x: 20, y: 10, width: 20, height: 10)),
    (.left, CGRect(x: 20, y: 0, width: 20, height: 10)),
  ])
  func framesAreInTheStoredPicture(orientation: ImageOrientation, frame: CGRect) throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    let image = VisionImage(image: picture)
    image.orientation = orientation
    #expect(try detector(options).results(in: image).map(\.frame) == [frame])
  }

  @Test func customLabelsBestFirst() throws {
    let objects = try detector(customOptions()).results(in: VisionImage(image: picture))
    let labels = try #require(objects.first?.labels)
    #expect(labels.map(\.text) == ["tulip", "daisy", "rose"])
    #expect(labels.map(\.index) == [1, 2, 0])
    for (label, confidence) in zip(labels, SyntheticModelFiles.confidences) {
      #expect(abs(label.confidence - confidence) < 1e-4)
    }
  }

  @Test(arguments: [
    (nil, 0, 3), (0.28, 0, 2), (0.5, 0, 0), (0.28, 1, 1), (-1, 0, 3), (1.5, -4, 3), (nil, 2, 2),
  ])
  func thresholdsAndCounts(threshold: Double?, count: Int, expected: Int) throws {
    let options = customOptions()
    options.classificationConfidenceThreshold = threshold.map(NSNumber.init(value:))
    options.maxPerObjectLabelCount = count
    let objects = try detector(options).results(in: VisionImage(image: picture))
    #expect(objects.map(\.labels.count) == [expected])
  }

  @Test func withoutClassificationTheCustomModelIsNotEvenRead() throws {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: "/no/such/file"))
    options.detectorMode = .singleImage
    #expect(try detector(options).results(in: VisionImage(image: picture))[0].labels.isEmpty)
    options.shouldEnableClassification = true
    let error = #expect(throws: ProcessingError.self) {
      try detector(options).results(in: VisionImage(image: picture))
    }
    #expect(error?.localizedDescription.hasPrefix("Failed to initialize detector. ") == true)
    #expect(error?.localizedDescription.contains("/no/such/file") == true)
  }

  @Test func detectorsAreNoClassifiers() throws {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: models.detector))
    options.shouldEnableClassification = true
    let error = #expect(throws: ProcessingError.self) {
      try detector(options).results(in: VisionImage(image: picture))
    }
    guard case .failedToInitializeDetector? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
  }

  @Test func baseLabelsAreCoarseCategories() throws {
    let models = try SyntheticModelFiles(firstLabel: "Unknown")
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    let objects = try ObjectDetector.objectDetector(
      options: options, detectorModel: LocalModel(path: models.detector)
    ).results(in: VisionImage(image: picture))
    #expect(objects.map { $0.labels.map(\.text) } == [[DetectedObjectLabel.food.rawValue], []])
    #expect(objects[0].labels[0].confidence == 0.75)
  }

  @Test func streamsGiveIdentitiesAndThenLabels() throws {
    let options = customOptions()
    options.detectorMode = .stream
    options.shouldEnableMultipleObjects = true
    let detector = detector(options)
    var objects: [Object] = []
    for frame in 0..<6 {
      let buffer = SampleBuffer(image: picture, presentationTime: .milliseconds(33 * frame))
      objects = try detector.results(in: VisionImage(buffer: buffer))
    }
    #expect(Set(objects.compactMap(\.trackingID)) == [1, 2])
    #expect(objects.map { $0.labels.first?.text } == ["tulip", "tulip"])
  }

  @Test func picturesOfStreamsNeedNoTime() throws {
    let detector = detector(ObjectDetectorOptions())
    for _ in 0..<3 {
      #expect(try detector.results(in: VisionImage(image: picture)).count == 1)
    }
  }

  @Test func lateFramesAreErrorsAndTheNextWork() throws {
    let detector = detector(ObjectDetectorOptions())
    func find(at milliseconds: Int) throws -> Int {
      let buffer = SampleBuffer(image: picture, presentationTime: .milliseconds(milliseconds))
      return try detector.results(in: VisionImage(buffer: buffer)).count
    }
    #expect(try find(at: 100) == 1)
    #expect(throws: ProcessingError.self) { try find(at: 50) }
    #expect(try find(at: 133) == 1)
  }

  @Test func picturesWithoutPixelsAreErrors() {
    struct Other: MLKitCompatibleImage {}
    let empty = Image(uninitialized: .rgb8, size: PixelSize(width: 0, height: 4))
    let detector = detector(ObjectDetectorOptions())
    #expect(throws: ProcessingError.invalidImage) {
      try detector.results(in: VisionImage(image: empty))
    }
    #expect(throws: ProcessingError.invalidImage) { try detector.results(in: Other()) }
    #expect(MLImage(image: empty) == nil)
  }

  @Test func completionsComeOnTheMainQueueInOrder() async {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    let detector = detector(options)
    let order = await withCheckedContinuation { continuation in
      let order = Order(expected: 5) { continuation.resume(returning: $0) }
      for number in 0..<5 {
        let time = Duration.milliseconds(number)
        let buffer = SampleBuffer(image: picture, presentationTime: time)
        detector.process(VisionImage(buffer: buffer)) { objects, error in
          #expect(objects?.count == 1)
          #expect(error == nil)
          order.append(number)
        }
      }
    }
    #expect(order == [0, 1, 2, 3, 4])
  }

  /// In stream mode only the newest picture waits: older ones complete as dropped, and all are
  /// counted.
  @Test func picturesOfAStreamGiveWayToNewerOnes() async {
    let detector = detector(ObjectDetectorOptions())
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        let buffer = SampleBuffer(image: picture, presentationTime: .milliseconds(number))
        let image = VisionImage(buffer: buffer)
        let outcome = AsyncStream<Bool>.makeStream()
        detector.process(image) { objects, error in
          #expect((objects == nil) == (error as? ProcessingError == .dropped))
          outcome.continuation.yield(objects != nil)
          outcome.continuation.finish()
        }
        group.addTask {
          for await isProcessed in outcome.stream { return isProcessed }
          return false
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let counts = detector.pictureCounts
    #expect(counts.submitted == 200)
    #expect(counts.processed == outcomes.count { $0 })
    #expect(counts.dropped == outcomes.count { !$0 })
    #expect(counts.dropped > 0 && counts.waiting == 0)
  }

  /// In single image mode no picture is dropped: a caller that submits too many waits.
  @Test func singlePicturesWait() async {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.threadCount = 2
    let detector = detector(options)
    await withCheckedContinuation { continuation in
      let order = Order(expected: 100) { _ in continuation.resume() }
      for number in 0..<100 {
        detector.process(VisionImage(image: picture)) { objects, _ in
          #expect(objects?.count == 1)
          order.append(number)
        }
        #expect(detector.pictureCounts.waiting <= 4)
      }
    }
    #expect(detector.pictureCounts.processed == 100)
    #expect(detector.pictureCounts.dropped == 0)
  }

  @MainActor private final class Order {
    private var numbers: [Int] = []
    private let expected: Int
    private let finish: @Sendable ([Int]) -> Void

    nonisolated init(expected: Int, finish: @escaping @Sendable ([Int]) -> Void) {
      self.expected = expected
      self.finish = finish
    }

    func append(_ number: Int) {
      numbers.append(number)
      if numbers.count == expected { finish(numbers) }
    }
  }

  @MainActor @Test func picturesOfTheMainActorCanBeAwaited() async throws {
    let detector = detector(customOptions())
    let image = VisionImage(image: picture)
    let objects = try await detector.process(image)
    #expect(objects.first?.labels.first?.text == "tulip")
    image.orientation = .down
    #expect(try await detector.process(image).first?.frame.origin == CGPoint(x: 20, y: 10))
  }

  /// Synchronous results work on the main thread, where the original raises an exception.
  @MainActor @Test func resultsOnTheMainThread() throws {
    #expect(
      try detector(ObjectDetectorOptions()).results(in: VisionImage(image: picture)).count == 1)
  }
}
