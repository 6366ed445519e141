import Foundation
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import OcellusVision
import Testing

@testable import OcellusCommands

/// What `JSONEncoder` writes is what the commands print and the schema of results describes.
@Suite struct CodableResultTests {
  private let schema: JSONSchema
  private let box = BoundingBox(left: 1, top: 2, right: 3, bottom: 4.5)
  private let category = Category(index: 3, label: "cat", score: 0.9)

  init() throws {
    schema = try JSONSchema(
      parsing: FileSystem.read(
        PackageFiles.path("Sources/Umbrella/Ocellus.docc/Resources/results.schema.json")))
  }

  /// Checks that a value is written as a definition of the schema says, and is read again.
  private func check<Value: Codable & Equatable>(
    _ value: Value, is definition: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let data = try JSONEncoder().encode(value)
    #expect(
      schema.problems(of: try JSONParser.parse(Array(data)), as: definition) == [],
      sourceLocation: sourceLocation)
    #expect(
      try JSONDecoder().decode(Value.self, from: data) == value, sourceLocation: sourceLocation)
  }

  private func encoded(_ value: some Encodable) throws -> NSObject {
    try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? NSObject)
  }

  private func parsed(_ value: JSONValue) throws -> NSObject {
    try #require(JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? NSObject)
  }

  @Test func boxesPointsAndCategories() throws {
    try check(box, is: "edges")
    try check(PixelPoint(x: 1.5, y: -2), is: "point")
    try check(category, is: "category")
    try check(Category(index: 3, score: 0.1), is: "category")
  }

  @Test func detections() throws {
    try check(Detection(box: box, categories: []), is: "detection")
    let size = PixelSize(width: 8064, height: 6048)
    for box in [box, BoundingBox(left: -7.3, top: 0, right: 0, bottom: 1e-3), BoundingBox(size)] {
      try check(
        Detection(
          box: box, categories: [category, Category(index: 0, score: 0.3)], score: 0.7,
          keypoints: [PixelPoint(x: 1, y: 2)], trackingID: 7, imageSize: size), is: "detection")
    }
    // Computed by hand.
    let detection = Detection(
      box: box, categories: [], score: 0.5, imageSize: PixelSize(width: 4, height: 10))
    #expect(
      try encoded(detection)
        == parsed([
          "box": ["left": 1, "top": 2, "right": 3, "bottom": .number(4.5)],
          "normalized_box": [
            "left": .number(0.25), "top": .number(0.2), "right": .number(0.75),
            "bottom": .number(0.45),
          ],
          "score": .number(0.5), "categories": [], "keypoints": [], "tracking_id": .null,
        ]))
  }

  @Test func tracks() throws {
    try check(Track(id: nil, box: box, score: 0.5, detectionIndex: 2), is: "track_object")
    var tracker = Tracker()
    for frame in 0..<100 {
      let detection = Detection(
        box: box.offset(x: Double(frame) / 8, y: 0), categories: [category])
      // At 29.97 frames a second, times have no short form.
      try tracker.update([detection], at: .seconds(Double(frame) * 100 / 2997))
      try check(try #require(tracker.tracks.first), is: "track_object")
    }
    let track = Track(
      id: 1, box: box, velocity: PixelVelocity(x: 3, y: -4), category: category, score: 0.5,
      age: .milliseconds(40), detectionIndex: 2)
    try check(track, is: "track_object")
    #expect(try (encoded(track) as? NSDictionary)?["age"] as? Double == 0.04)
    let text = String(decoding: try JSONEncoder().encode(track), as: UTF8.self)
    for age in ["1e300", "-1e19", "1e9999"] {
      let wrong = text.replacing("\"age\":0.04", with: "\"age\":\(age)")
      #expect(wrong != text)
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(Track.self, from: Data(wrong.utf8))
      }
    }
  }

  @Test func posesAndEmbeddings() throws {
    try check(Pose(points: []), is: "subject")
    let pose = Pose(
      points: [
        Pose.Point(name: "nose", position: PixelPoint(x: 1.25, y: 2), score: 0.6),
        Pose.Point(position: PixelPoint(x: 3, y: 4)),
      ], score: 0.3)
    try check(pose, is: "subject")
    let report = PoseReport(
      path: "", size: PixelSize(width: 9, height: 9), poses: [pose], milliseconds: 1,
      annotatedPath: nil, warnings: [])
    #expect(try encoded([pose]) == parsed(try #require(report.json["subjects"])))
    try check(Embedding([0.1, -2, 0]), is: "embedding")
  }

  /// The command and the library write the same JSON about the same picture.
  @Test func commandAndLibraryWriteTheSame() throws {
    struct Picture: Decodable { let detections: [Detection] }
    struct Result: Decodable { let images: [Picture] }
    let run = ProgramRun("detect", CommandSamples.picture, "--json")
    let detector = try ObjectDetector(path: CommandSamples.detector)
    let found = try detector.detect(in: Image(contentsOf: CommandSamples.picture))
    #expect(!found.isEmpty)
    let printed = try JSONParser.parse(Array(run.output.utf8))
    let list = try #require(printed.object?["images"]?.array?.first?.object?["detections"])
    #expect(try encoded(found) == parsed(list))
    let result = try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
    #expect(result.images.first?.detections == found)
  }
}
