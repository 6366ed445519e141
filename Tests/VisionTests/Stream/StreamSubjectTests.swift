import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct StreamSubjectTests {
  private let size = PixelSize(width: 400, height: 200)

  private func object(_ id: Int?, x: Double, side: Double) -> Detection {
    Detection(
      box: BoundingBox(x: x, y: 100 - side / 2, width: side, height: side), categories: [],
      score: 0.9, trackingID: id)
  }

  @Test func theSubjectStaysWhateverElseComes() {
    var subject = StreamSubject()
    let small = object(1, x: 180, side: 40)
    #expect(subject.choose(from: [small], expected: [], in: size) == small)
    let large = object(2, x: 150, side: 120)
    #expect(subject.choose(from: [large, small], expected: [], in: size) == small)
  }

  @Test func aHiddenSubjectIsWaitedForAndOneThatLeftIsNot() {
    var subject = StreamSubject()
    let (first, second) = (object(1, x: 180, side: 80), object(2, x: 40, side: 60))
    _ = subject.choose(from: [first, second], expected: [], in: size)
    let hidden = ExpectedTrack(id: 1, box: first.box, isLost: true)
    #expect(subject.choose(from: [second], expected: [hidden], in: size) == nil)
    let outside = ExpectedTrack(
      id: 1, box: BoundingBox(x: 390, y: 60, width: 80, height: 80), isLost: true)
    #expect(subject.choose(from: [second], expected: [outside], in: size) == second)
    #expect(subject.id == 2)
    // The tracker has given it up.
    #expect(subject.choose(from: [first], expected: [], in: size) == first)
  }

  /// A subject whose box is mostly outside the picture (a person close to the camera) is not lost.
  @Test func aSubjectLargerThanThePictureIsStillHere() {
    var subject = StreamSubject()
    let (first, second) = (object(1, x: 180, side: 80), object(2, x: 40, side: 60))
    _ = subject.choose(from: [first, second], expected: [], in: size)
    func choose(expectedAt x: Double) -> Detection? {
      let box = BoundingBox(x: x, y: -300, width: 320, height: 800)
      return subject.choose(
        from: [second], expected: [ExpectedTrack(id: 1, box: box, isLost: true)], in: size)
    }
    #expect(choose(expectedAt: 240) == nil)
    #expect(choose(expectedAt: 340) == second)
  }

  @Test func beforeIdentitiesThereIsOnlyThisPicture() {
    var subject = StreamSubject()
    let objects = [object(nil, x: 10, side: 40), object(nil, x: 150, side: 80)]
    #expect(subject.choose(from: objects, expected: [], in: size) == objects[1])
    #expect(subject.id == nil)
    #expect(subject.choose(from: [], expected: [], in: size) == nil)
  }

  /// A recognizer of one object keeps following the first when another one becomes more prominent.
  @Test func recognizersFollowOneObject() throws {
    let detector = try ObjectDetector(
      SyntheticDetector.model(), options: .init(findsMultipleObjects: false))
    let recognizer = ObjectRecognizer(detector)
    let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20))
    for frame in 0..<5 {
      let found = try recognizer.process(picture, at: .milliseconds(33 * frame))
      #expect(found.map(\.trackingID) == [1])
      #expect(found.first?.box.left == 0)
    }
    #expect(recognizer.tracks.count == 2)
  }

  // MARK: Streets and stages

  /// The subject changes only when its object is hidden or not detected.
  ///
  /// The test runs on the sequences of the shared corpus in which two objects are large at once
  /// (`hasTwoLargeObjects`; there are 24). In one of them the object is hidden entirely and comes
  /// back under another identity, and the stream waits for it until the tracker gives it up. Two
  /// alternatives were tried: to continue with the track at the subject's expected position, or
  /// with a track that begins where the subject was lost. Each picked a wrong object three times as
  /// often as the right one.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func theSubjectChangesOnlyWhenItIsGone() throws {
    var early: [String: [Int]] = [:]
    var count = 0
    for name in try MOTSequenceFiles.names {
      let sequence = try MOTSequenceFiles(name)
      guard sequence.hasTwoLargeObjects else { continue }
      count += 1
      let frames = try earlyChanges(in: sequence)
      if !frames.isEmpty { early[name] = frames }
    }
    #expect(count >= 10)
    let exceptions: Set = ["DANCE-0034-sim"]
    #expect(exceptions.isSuperset(of: early.keys), "\(early)")
    #expect(early.values.allSatisfy { $0.count == 1 }, "\(early)")
  }

  /// Returns the frames in which another subject was chosen although the object was visible.
  private func earlyChanges(in sequence: MOTSequenceFiles) throws -> [Int] {
    var tracker = Tracker(.default)
    var subject = StreamSubject()
    var last: Int?
    var objects: [Int?] = []
    var early: [Int] = []
    for frame in 1...sequence.length {
      let detections = sequence.detections[frame] ?? []
      let time = Duration.seconds(Double(frame) / sequence.rate)
      let followed = try tracker.update(detections, at: time).map { track in
        Detection(box: track.box, categories: [], score: track.score, trackingID: track.id)
      }
      let chosen = subject.choose(
        from: followed, expected: tracker.expected(at: time), in: sequence.size)
      if subject.id != last {
        let object = mostFrequent(objects.suffix(Int(sequence.rate / 2)))
        if let object, sequence.isVisible(object, in: frame) { early.append(frame) }
        (last, objects) = (subject.id, [])
      }
      if let chosen { objects.append(sequence.object(at: chosen.box, in: frame)) }
    }
    return early
  }

  /// Returns the object that the subject covered most often: a box that leaves may touch another
  /// one.
  private func mostFrequent(_ objects: ArraySlice<Int?>) -> Int? {
    let counts = Dictionary(objects.compactMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}

/// A sequence of the shared corpus, as text files in the format of MOTChallenge.
private struct MOTSequenceFiles {
  struct Truth {
    var id: Int
    var box: BoundingBox
    var visibility: Double
  }

  var detections: [Int: [Detection]] = [:]
  var truth: [Int: [Truth]] = [:]
  var rate = 30.0
  var length = 0
  var size = PixelSize(width: 0, height: 0)

  init(_ name: String) throws {
    let folder = SharedFiles.folder.appending(path: "mot/data/\(name)")
    func lines(_ file: String) throws -> [Substring] {
      try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(
        whereSeparator: \.isNewline)
    }
    for line in try lines("seqinfo.ini") {
      let parts = line.split(separator: "=")
      guard parts.count == 2, let number = Double(parts[1]) else { continue }
      switch parts[0] {
      case "frameRate": rate = number
      case "seqLength": length = Int(number)
      case "imWidth": size.width = Int(number)
      case "imHeight": size.height = Int(number)
      default: break
      }
    }
    for line in try lines("det.txt") {
      let fields = line.split(separator: ",").compactMap { Double($0) }
      guard fields.count > 6, fields[6] >= 0.1 else { continue }
      detections[Int(fields[0]), default: []].append(
        Detection(box: Self.box(fields), categories: [], score: Float(fields[6])))
    }
    for line in try lines("gt.txt") {
      let fields = line.split(separator: ",").compactMap { Double($0) }
      guard fields.count > 7, fields[6] == 1 else { continue }
      truth[Int(fields[0]), default: []].append(
        Truth(
          id: Int(fields[1]), box: Self.box(fields), visibility: fields.count > 8 ? fields[8] : 1))
    }
  }

  private static func box(_ fields: [Double]) -> BoundingBox {
    BoundingBox(x: fields[2], y: fields[3], width: fields[4], height: fields[5])
  }

  /// All sequences of the corpus.
  static var names: [String] {
    get throws {
      let groups = SharedFiles.folder.appending(path: "mot/data/groups.json")
      return try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: groups))[
        "all"] ?? []
    }
  }

  /// Whether at least two objects each cover a twentieth of the picture, for a second in total.
  var hasTwoLargeObjects: Bool {
    let area = 0.05 * Double(size.width * size.height)
    let frames = truth.values.count { objects in
      objects.count { $0.box.clipped(to: size).area >= area } >= 2
    }
    return Double(frames) >= rate
  }

  /// Returns the object that a box covers.
  func object(at box: BoundingBox, in frame: Int) -> Int? {
    let best = (truth[frame] ?? []).max {
      box.intersectionOverUnion($0.box) < box.intersectionOverUnion($1.box)
    }
    return best.flatMap { box.intersectionOverUnion($0.box) >= 0.5 ? $0.id : nil }
  }

  /// Whether an object is visible in a frame and was detected.
  func isVisible(_ id: Int, in frame: Int) -> Bool {
    guard let object = truth[frame]?.first(where: { $0.id == id }), object.visibility > 0.25 else {
      return false
    }
    let inside = object.box.clipped(to: size).area / max(object.box.area, 1)
    return inside > 0.25
      && (detections[frame] ?? []).contains { $0.box.intersectionOverUnion(object.box) >= 0.5 }
  }
}
