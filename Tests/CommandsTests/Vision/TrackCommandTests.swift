import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct TrackCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Two people who walk toward each other on parallel lines for 40 frames, the second from frame
  /// 11 on, and one false detection.
  private static let detections: String = {
    var text = "\n"
    for frame in (1...40).reversed() {
      text += "\(frame),-1,\(100 + 5 * frame),100,40,80,0.9,-1,-1,-1\n"
      if frame > 10 { text += "\(frame), -1, \(500 - 5 * frame), 240, 40, 80, 0.8\n" }
      if frame == 20 { text += "20,-1,700,400,30,30,0.95\n" }
    }
    return text
  }()

  private func write(_ text: String, to name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func number(_ run: ProgramRun, _ path: String...) throws -> Double? {
    var value: JSONValue? = try JSONParser.parse(Array(run.output.utf8))
    for name in path { value = value?.object?[name] }
    return value?.number
  }

  @Test func tracksAreWrittenAsText() throws {
    let run = ProgramRun(
      "track", "--from", try write(Self.detections, to: "det.txt"), "--fps", "30", "--mot", "-")
    #expect(run.code == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "1,1,105.000,100.000,40.000,80.000,1,-1,-1,-1")
    // Boxes are smoothed; this position is known to a tenth of a pixel.
    let fields = try #require(lines.last).split(separator: ",").compactMap { Double($0) }
    let expected: [Double] = [40, 2, 300, 240, 40, 80, 1, -1, -1, -1]
    #expect(fields.count == expected.count)
    #expect(zip(fields, expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(fields)")
    // The second person has an identity from the second frame on, and the false detection has none.
    #expect(lines.count == 40 + 29)
  }

  @Test(arguments: ["default", "sort", "bytetrack", "ocsort"])
  func everyTrackerFindsBoth(tracker: String) throws {
    let run = ProgramRun(
      "track", "--from", try write(Self.detections, to: "det.txt"), "--fps", "25", "--json",
      "--tracker", tracker)
    #expect(run.code == 0)
    #expect(try number(run, "identities") == 2)
    #expect(try number(run, "frames") == 40)
    #expect(try number(run, "detections") == 71)
  }

  @Test func linesAndZonesCount() throws {
    let run = ProgramRun(
      "track", "--from", try write(Self.detections, to: "det.txt"), "--fps", "30", "--size",
      "800x500", "--line", "25%,0,25%,100%", "--zone", "0,0,800,0,800,200,0,200", "--json")
    #expect(run.code == 0)
    let json = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let line = try #require(json["lines"]?.array?.first?.object)
    // The line points down along x = 200: walking to the right crosses it from right to left.
    #expect(line["left_to_right"]?.integer == 0)
    #expect(line["right_to_left"]?.integer == 1)
    let zone = try #require(json["zones"]?.array?.first?.object)
    #expect(zone["appeared"]?.integer == 1)
    #expect(zone["inside"] == [1])
    let events = try #require(json["events"]?.array).compactMap(\.object)
    #expect(events.map { $0["counter"]?.string } == ["zone 1", "line 1"])
    // The centre, at 120 + 5 × frame, is then more than 5 pixels beyond 200.
    #expect(events.map { $0["frame"]?.integer } == [1, 18])
  }

  @Test func truthIsCompared() throws {
    var truth = ""
    for frame in 1...40 {
      truth += "\(frame),7,\(100 + 5 * frame),100,40,80,1,1,1\n"
      if frame > 10 { truth += "\(frame),9,\(500 - 5 * frame),240,40,80,1,1,1\n" }
    }
    let run = ProgramRun(
      "track", "--from", try write(Self.detections, to: "det.txt"), "--fps", "30", "--truth",
      try write(truth, to: "gt.txt"), "--json")
    // All boxes but the first one of the second person match: 69 of 70.
    #expect(try number(run, "evaluation", "mota") == 69.0 / 70)
    #expect(try number(run, "evaluation", "identity_switches") == 0)
    #expect(try number(run, "evaluation", "false_negatives") == 1)
  }

  @Test(arguments: [
    ("1,-1,1,2,3,4,0.9\n2,-1,x,2,3,4,0.9", "line 2: 'x' is not a number"),
    ("1,-1,1,2,3,4,nan", "line 1: 'nan' is not a number"),
    ("\n\n1,-1,1,2", "line 3: a line holds"),
    ("0,-1,1,2,3,4,1", "line 1: frames are counted from 1"),
    ("1000000000,-1,1,2,3,4,1", "line 1: frames are counted from 1"),
    ("1e300,-1,1,2,3,4,1", "line 1: frames are counted from 1"),
    ("1,0.5,1,2,3,4,1", "line 1: the identity is no whole number"),
  ])
  func aBrokenLineIsNamed(text: String, problem: String) throws {
    let path = try write(text, to: "broken.txt")
    let run = ProgramRun("track", "--from", path, "--fps", "30")
    #expect(run.code == 1)
    #expect(run.errors.contains("\(path), \(problem)"))
  }

  @Test(arguments: [
    [], ["--from", "x"], ["--from", "x", "--fps", "0"],
    ["--from", "x", "--fps", "1", "--size", "3"],
    ["--from", "x", "--fps", "1", "--tracker", "best"],
    ["--from", "x", "--fps", "1", "--line", "1,2,3"],
    ["--from", "x", "--fps", "1", "--line", "1,2,3,4%"],
    ["--from", "x", "--fps", "1", "--line", "1,2,3,inf"],
    ["--from", "x", "--fps", "1", "--zone", "1,2,3,4"],
    ["--from", "x", "--fps", "1", "--mot", "-", "--json"],
  ])
  func wrongArgumentsAreRefused(arguments: [String]) {
    #expect(ProgramRun(["track"] + arguments).code == 2)
  }

  @Test func aFileWithoutDetectionsHasNoFrames() throws {
    let path = try write("", to: "empty.txt")
    let run = ProgramRun("track", "--from", path, "--fps", "30")
    #expect(run.code == 0)
    #expect(run.output.contains("identities  0"))
  }
}
