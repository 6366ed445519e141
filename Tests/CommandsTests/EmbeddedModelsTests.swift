import Foundation
import OcellusImaging
import OcellusJSON
import Testing

@testable import OcellusCommands

/// The commands with the models and pictures of the package.
@Suite struct EmbeddedModelsTests {
  private static let samples = URL(filePath: #filePath)
    .deletingLastPathComponent()  // CommandsTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()
    .appending(path: "Models/samples").path

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

  /// Three of four things in the pictures are found, in their place and category.
  @Test func detectFindsMostThingsInTheSamples() throws {
    let truth = try #require(
      try JSONParser.parse(try FileSystem.read(Self.samples + "/truth.json")).object)
    var (things, found) = (0, 0)
    for picture in try #require(truth["pictures"]?.array).compactMap(\.object) {
      let file = try #require(picture["file"]?.string)
      let run = ProgramRun(["detect", Self.samples + "/" + file, "--json"])
      #expect(run.code == 0)
      let image = try #require(try object(run)["images"]?.array?.first?.object)
      #expect(image["width"] == picture["width"])
      let detections = try #require(image["detections"]?.array).compactMap(\.object)
      for thing in try #require(picture["objects"]?.array).compactMap(\.object) {
        let place = try box(thing["box"])
        things += 1
        let isFound = try detections.contains { detection in
          let label = detection["categories"]?.array?.first?.object?["label"]
          return try label == thing["category"]
            && box(detection["box"]).intersectionOverUnion(place) >= 0.5
        }
        if isFound { found += 1 }
      }
    }
    #expect(things >= 20)
    #expect(4 * found >= 3 * things, "\(found) of \(things)")
  }

  @Test func labelNamesASample() throws {
    let run = ProgramRun(["label", Self.samples + "/chair.png", "--json"])
    #expect(run.code == 0)
    let image = try #require(try object(run)["images"]?.array?.first?.object)
    let labels = try #require(image["labels"]?.array).compactMap(\.object)
    #expect((1...5).contains(labels.count))
    #expect(labels.allSatisfy { $0["label"]?.string != nil })
  }

  @Test func trackFollowsTheClip() throws {
    let run = ProgramRun(["track", Self.samples + "/clip.y4m", "--json"])
    #expect(run.code == 0)
    #expect(try object(run)["frames"] == 45)
  }
}
