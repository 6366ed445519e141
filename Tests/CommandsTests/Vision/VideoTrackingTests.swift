import Foundation
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct VideoTrackingTests {
  private let directory: TemporaryDirectory
  private let video: String
  private let model = Self.path("models/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")

  private static func path(_ name: String) -> String { SharedFiles.folder.path + "/zoo/" + name }

  /// Creates a video of six equal frames of one photograph.
  init() throws {
    directory = try TemporaryDirectory()
    video = directory.path + "/still.y4m"
    let photo = try Image(contentsOf: Self.path("images/photos/cats_and_dogs.jpg"))
    let frame = try photo.resized(to: PixelSize(width: 300, height: 150), using: .pillowBilinear)
    let rate = try #require(FrameRate(frames: 10))
    let writer = try Y4MWriter(path: video, size: frame.size, frameRate: rate)
    for _ in 0..<6 { try writer.write(frame) }
    try writer.close()
  }

  @Test func identitiesStay() throws {
    let mot = directory.path + "/mot.txt"
    let annotated = directory.path + "/annotated.y4m"
    let run = ProgramRun([
      "track", video, "-m", model, "--threshold", "0.4", "--mot", mot, "--annotate", annotated,
      "--json",
    ])
    #expect(run.code == 0)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["frames"] == 6)
    let identities = try #require(report["identities"]?.integer)
    #expect(identities >= 2)
    let lines = String(decoding: try FileSystem.read(mot), as: UTF8.self).split(separator: "\n")
    let ids = Set(lines.compactMap { Int($0.split(separator: ",")[1]) })
    #expect(ids == Set(1...identities))
    let reader = try VideoReader(contentsOf: annotated)
    var count = 0
    while let frame = try reader.next() {
      #expect(frame.image.size == PixelSize(width: 300, height: 150))
      count += 1
    }
    #expect(count == 6)
  }

  @Test func everyFrameIsALine() throws {
    let run = ProgramRun(["track", video, "-m", model, "--jsonl"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 6)
    let text = try #require(lines.last)
    let last = try #require(try JSONParser.parse(Array(text.utf8)).object)
    #expect(last["seconds"] == .number(0.5))
  }

  @Test func aTruncatedVideoIsReported() throws {
    let bytes = try FileSystem.read(video)
    try FileSystem.write(Array(bytes.dropLast(1000)), to: video)
    let run = ProgramRun(["track", video, "-m", model, "--json"])
    #expect(run.code == ExitCode.partial.rawValue)
    #expect(run.errors.contains("frame 5"))
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["frames"] == 5)
  }

  @Test(arguments: [
    ["track"], ["track", "x.y4m", "-m", "m", "--from", "y.txt"],
    ["track", "--from", "y.txt"],
  ])
  func wrongUsageIsTold(arguments: [String]) {
    #expect(ProgramRun(arguments).code == 2)
  }
}
