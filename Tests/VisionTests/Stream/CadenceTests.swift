import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// Streams in which the detector does not search every picture.
@Suite struct CadenceTests {
  private static let models = PackageFiles.path("Models")

  private struct Clip {
    var frames: [(image: Image, time: Duration)] = []
    var truth: [[TruthBox]] = []
  }

  /// Returns the package's clip and its ground truth.
  private func clip() throws -> Clip {
    struct Truth: Decodable {
      struct Thing: Decodable {
        var identity: Int
        var box: BoundingBox
        var visible: Double
      }
      var frames: [[Thing]]
    }
    let samples = Self.models + "/samples"
    let data = try Data(contentsOf: URL(filePath: samples + "/clip.truth.json"))
    var clip = Clip()
    clip.truth = try JSONDecoder().decode(Truth.self, from: data).frames.map { things in
      things.map {
        TruthBox(id: $0.identity, box: $0.box, kind: $0.visible < 0.3 ? .distractor : .object)
      }
    }
    let video = try VideoReader(contentsOf: samples + "/clip.y4m")
    while let frame = try video.next() { clip.frames.append((frame.image, frame.timestamp)) }
    return clip
  }

  private func recognizer(
    _ cadence: ObjectRecognizer.Cadence, threads: Int = 1
  ) throws -> ObjectRecognizer {
    ObjectRecognizer(
      try ObjectDetector(options: .init(threads: threads)), options: .init(cadence: cadence))
  }

  private func evaluation(
    _ clip: Clip, _ cadence: ObjectRecognizer.Cadence
  ) throws -> MOTEvaluation {
    let recognizer = try recognizer(cadence)
    let tracks = try clip.frames.map { frame in
      try recognizer.process(frame.image, at: frame.time).compactMap { detection in
        detection.trackingID.map { TrackedBox(id: $0, box: detection.box) }
      }
    }
    return MOTEvaluation(truth: clip.truth, tracks: tracks)
  }

  /// Searching one in four pictures costs at most two points of HOTA, and no identity.
  @Test func fewSearchesFollowAsWell() throws {
    let clip = try clip()
    let every = try evaluation(clip, .everyFrame)
    let fourth = try evaluation(clip, .every(4))
    print("HOTA on the clip: \(every.hota) every picture, \(fourth.hota) one in four")
    #expect(every.hota > 0.6)
    #expect(fourth.hota >= every.hota - 0.02)
    #expect(fourth.identitySwitches <= every.identitySwitches)
  }

  @Test func picturesBetweenAreNotSearched() throws {
    let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))
    let recognizer = ObjectRecognizer(
      try ObjectDetector(SyntheticDetector.model()), options: .init(cadence: .every(3)))
    for frame in 0..<7 {
      let time = Duration.milliseconds(33 * frame)
      let found = try recognizer.process(picture, at: time)
      #expect(found.compactMap(\.trackingID).sorted() == [1, 2])
      // An object at rest is expected where it was found.
      for detection in found { #expect(detection.box.area > 180 && detection.box.area < 220) }
    }
    #expect(throws: VisionError.self) { try recognizer.process(picture, at: .zero) }
  }

  /// Every picture has an answer, whatever the latency; with enough time no identity is lost.
  ///
  /// A benchmark measures whether answers meet the latency.
  @Test(arguments: [Duration.milliseconds(1), .seconds(5)])
  func everyPictureHasAnAnswer(latency: Duration) throws {
    let clip = try clip()
    let recognizer = try recognizer(.adaptive(latency: latency))
    var identities: Set<Int> = []
    for frame in clip.frames {
      let found = try recognizer.process(frame.image, at: frame.time)
      identities.formUnion(found.compactMap(\.trackingID))
    }
    #expect(identities.isSubset(of: [1, 2, 3, 4, 5]))
    if latency >= .seconds(5) {
      #expect(identities == [1, 2, 3, 4, 5])
    }
    recognizer.reset()
    #expect(recognizer.tracks.isEmpty)
  }

  @Test func whatIsWrongWithASearchIsToldOnce() throws {
    let recognizer = try recognizer(.adaptive(latency: .seconds(5)))
    let empty = Image(uninitialized: .rgb8, size: PixelSize(width: 0, height: 0))
    #expect(throws: VisionError.self) { try recognizer.process(empty, at: .zero) }
    let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))
    _ = try recognizer.process(picture, at: .seconds(1))
  }

  /// The classifier names one object per picture, even in pictures that are not searched.
  @Test func namesAreSpreadOverPictures() throws {
    let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))
    let recognizer = ObjectRecognizer(
      try ObjectDetector(SyntheticDetector.model()), classifier: try SyntheticLabeler.labeler(),
      options: .init(cadence: .every(4)))
    let named = try (0..<3).map { frame in
      try recognizer.process(picture, at: .milliseconds(33 * frame)).count {
        !$0.categories.isEmpty
      }
    }
    #expect(named == [1, 2, 2])
  }

  @Test func expectedPlacesFollowTheCourse() throws {
    var tracker = Tracker()
    func box(_ seconds: Double) -> BoundingBox {
      BoundingBox(x: 100 + 60 * seconds, y: 50, width: 40, height: 40)
    }
    #expect(tracker.expected(at: .seconds(9)).isEmpty)
    for frame in 0..<15 {
      try tracker.update(
        boxes: [box(Double(frame) / 15)], scores: [0.9], at: .seconds(frame) / 15)
    }
    let before = tracker
    let expected = tracker.expected(at: .seconds(1) + .milliseconds(100))
    #expect(expected.map(\.id) == [1])
    #expect(expected[0].box.intersectionOverUnion(box(1.1)) > 0.9)
    #expect(!expected[0].isLost)
    #expect(tracker.tracks == before.tracks)
    try tracker.update(boxes: [], scores: [], at: .seconds(1.05))
    #expect(tracker.expected(at: .seconds(1.1)).map(\.isLost) == [true])
  }
}
