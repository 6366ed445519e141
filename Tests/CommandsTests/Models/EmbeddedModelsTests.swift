import Foundation
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The commands find the objects of the package's pictures with the package's models.
@Suite struct EmbeddedModelsTests {
  private static let samples = PackageFiles.path("Models/samples")

  private func object(_ run: ProgramRun) throws -> JSONObject {
    try #require(try JSONParser.parse(Array(run.output.utf8)).object)
  }

  private func box(_ json: JSONValue?) throws -> BoundingBox {
    let box = try #require(json?.object)
    func edge(_ name: String) throws -> Double { try #require(box[name]?.number) }
    return BoundingBox(
      left: try edge("left"), top: try edge("top"), right: try edge("right"),
      bottom: try edge("bottom"))
  }

  /// An object of a picture or frame, from the ground truth beside the samples.
  private struct Thing {
    let json: JSONObject
    let place: BoundingBox

    /// Whether a detection covers the object.
    func isAt(_ box: BoundingBox) -> Bool { box.intersectionOverUnion(place) >= 0.5 }
  }

  private func things(_ json: JSONValue?) throws -> [Thing] {
    try #require(json?.array).compactMap(\.object).map {
      Thing(json: $0, place: try box($0["box"]))
    }
  }

  private func truth(_ file: String) throws -> JSONObject {
    try #require(try JSONParser.parse(try FileSystem.read(Self.samples + "/" + file)).object)
  }

  /// At most one of twenty objects is missed, and at most one of twenty detections is wrong.
  @Test func detectFindsTheThingsInTheSamples() throws {
    var (count, found, answers) = (0, 0, 0)
    for picture in try #require(truth("truth.json")["pictures"]?.array).compactMap(\.object) {
      let file = try #require(picture["file"]?.string)
      let run = ProgramRun(["detect", Self.samples + "/" + file, "--json"])
      #expect(run.code == 0)
      let image = try #require(try object(run)["images"]?.array?.first?.object)
      #expect(image["width"] == picture["width"])
      let detections = try #require(image["detections"]?.array).compactMap(\.object)
      answers += detections.count
      for thing in try things(picture["objects"]) {
        count += 1
        let isFound = try detections.contains { detection in
          let label = detection["categories"]?.array?.first?.object?["label"]
          return try label == thing.json["category"] && thing.isAt(box(detection["box"]))
        }
        if isFound { found += 1 }
      }
    }
    #expect(count >= 20)
    #expect(20 * found >= 19 * count, "\(found) of \(count) things found")
    #expect(20 * found >= 19 * answers, "\(found) of \(answers) answers right")
  }

  @Test func labelNamesASample() throws {
    let run = ProgramRun(["label", Self.samples + "/tower.png", "--json"])
    #expect(run.code == 0)
    let image = try #require(try object(run)["images"]?.array?.first?.object)
    let labels = try #require(image["labels"]?.array).compactMap(\.object)
    #expect((1...5).contains(labels.count))
    #expect(labels.allSatisfy { $0["label"]?.string != nil })
  }

  /// One track follows each object of the clip from its first frame to its last, and there are no
  /// other tracks.
  @Test func trackKeepsEveryIdentityOfTheClip() throws {
    let run = ProgramRun(["track", Self.samples + "/clip.y4m", "--jsonl"])
    #expect(run.code == 0)
    let lines = run.output.split(separator: "\n")
    let frames = try #require(truth("clip.truth.json")["frames"]?.array)
    #expect(lines.count == frames.count)
    // The number of frames in which each object is visible, and those of each track on each object.
    var (seen, covered) = ([Double: Int](), [Double: [Double: Int]]())
    for (line, frame) in zip(lines, frames) {
      let report = try #require(try JSONParser.parse(Array(line.utf8)).object)
      let things = try things(frame)
      for thing in things {
        seen[try #require(thing.json["identity"]?.number), default: 0] += 1
      }
      for track in try #require(report["detections"]?.array).compactMap(\.object) {
        guard let id = track["tracking_id"]?.number else { continue }
        let place = try box(track["box"])
        let nearest = things.max {
          place.intersectionOverUnion($0.place) < place.intersectionOverUnion($1.place)
        }
        guard let nearest, nearest.isAt(place) else { continue }
        covered[id, default: [:]][try #require(nearest.json["identity"]?.number), default: 0] += 1
      }
    }
    #expect(seen.count == 5)
    #expect(covered.count == 5)
    var followed: Set<Double> = []
    for (id, counts) in covered {
      let (identity, count) = try #require(counts.max { $0.value < $1.value })
      #expect(followed.insert(identity).inserted, "thing \(identity) is followed twice")
      // Where paths cross, a track may be on the wrong object for a moment.
      #expect(10 * count >= 9 * counts.values.reduce(0, +), "track \(id) on \(counts)")
      // Objects may be lost at the picture's edges and behind other objects.
      #expect(3 * count >= 2 * (seen[identity] ?? 0), "thing \(identity) in \(count) frames")
    }
  }
}
