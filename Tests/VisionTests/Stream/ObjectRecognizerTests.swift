import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct ObjectRecognizerTests {
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  private func recognizer(
    _ options: ObjectRecognizer.Options, classifies: Bool = true
  ) throws -> ObjectRecognizer {
    let detector = try ObjectDetector(
      SyntheticDetector.model(), options: .init(labels: Labels(["cat", "dog", "bird"])))
    return ObjectRecognizer(
      detector, classifier: classifies ? try SyntheticLabeler.labeler() : nil, options: options)
  }

  private func time(_ frame: Int) -> Duration { .milliseconds(33 * frame) }

  @Test func singleImagesAreCompleteAndWithoutIdentities() throws {
    let found = try recognizer(.init(mode: .singleImage)).process(picture)
    #expect(found.map(\.trackingID) == [nil, nil])
    #expect(
      found.map { $0.categories.map(\.label) } == [
        ["tulip", "daisy", "rose"], ["tulip", "daisy", "rose"],
      ])
  }

  @Test func labelsAreLimited() throws {
    let limited = try recognizer(
      .init(mode: .singleImage, classificationThreshold: 0.2, maximumLabelsPerObject: 5))
    #expect(try limited.process(picture)[0].categories.count == 2)
    let one = try recognizer(.init(mode: .singleImage, maximumLabelsPerObject: 1))
    #expect(try one.process(picture)[0].categories.map(\.label) == ["tulip"])
  }

  @Test func streamsNameOneNewObjectAPicture() throws {
    let recognizer = try recognizer(.init())
    var named: [Int] = []
    for frame in 0..<6 {
      let found = try recognizer.process(picture, at: time(frame))
      named.append(found.count { !$0.categories.isEmpty })
      if frame == 5 {
        #expect(Set(found.compactMap(\.trackingID)) == [1, 2])
      }
    }
    // Identities come first; each later picture brings the name of one more object.
    #expect(named.last == 2)
    #expect(zip(named, named.dropFirst()).allSatisfy { $1 - $0 <= 1 && $1 >= $0 })
  }

  @Test func withoutAClassifierTheDetectorsClassesAreTheNames() throws {
    let recognizer = try recognizer(.init(), classifies: false)
    let found = try recognizer.process(picture, at: .zero)
    #expect(found.map { $0.categories.first?.label } == ["dog", "cat"])
  }

  @Test func aLateFrameIsReportedAndTheNextWorks() throws {
    let recognizer = try recognizer(.init())
    _ = try recognizer.process(picture, at: time(10))
    #expect(throws: VisionError.self) { try recognizer.process(picture, at: time(3)) }
    #expect(try recognizer.process(picture, at: time(11)).count == 2)
    recognizer.reset()
    #expect(try recognizer.process(picture, at: time(0)).count == 2)
  }
}

@Suite struct LiveDetectorTests {
  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))

  @Test func everyPictureIsCounted() async throws {
    let detector = try ObjectDetector(SyntheticDetector.model())
    let live = LiveDetector(ObjectRecognizer(detector))
    for frame in 0..<200 { live.submit(picture, at: .milliseconds(frame)) }
    await live.finish()
    let counts = live.statistics
    #expect(counts.submitted == 200)
    #expect(counts.processed + counts.dropped == 200)
    #expect(counts.processed >= 1)
    #expect(counts.failed == 0)
  }

  @Test func theNewestPictureWins() async throws {
    let detector = try ObjectDetector(SyntheticDetector.model())
    let live = LiveDetector(ObjectRecognizer(detector))
    for frame in 0..<50 { live.submit(picture, at: .milliseconds(frame)) }
    await live.finish()
    var times: [Duration] = []
    for await outcome in live.outcomes { times.append(outcome.time) }
    #expect(times.last == .milliseconds(49))
    #expect(times == times.sorted())
  }

  @Test func aBadPictureIsReportedAndTheNextWorks() async throws {
    let detector = try ObjectDetector(SyntheticDetector.model())
    let live = LiveDetector(ObjectRecognizer(detector))
    var outcomes = live.outcomes.makeAsyncIterator()
    for milliseconds in [5, 3, 7] {
      live.submit(picture, at: .milliseconds(milliseconds))
      let outcome = await outcomes.next()
      switch outcome?.result {
      case .success: #expect(milliseconds != 3)
      default: #expect(milliseconds == 3)
      }
    }
    await live.finish()
    #expect(live.statistics.failed == 1)
  }
}
