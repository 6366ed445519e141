import Foundation
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProfile
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Comparisons of two programs that take turns.
@Suite struct PairedRoundsTests {
  /// Returns rounds on a machine that slows down by half, which affects both sides of a round
  /// alike.
  private func rounds(
    _ count: Int, slowing slowed: Int?, by factor: Double = 1.05, _ random: inout SeededGenerator
  ) throws -> PairedRounds {
    var sides: [[ProcessTimes]] = [[], []]
    for round in 0..<count {
      let drift = 1 + 0.5 * Double(round) / Double(count)
      for side in 0..<2 {
        let pace = drift * (1 + Double.random(in: -0.02...0.02, using: &random))
        let steps = (0..<20).map { node -> (node: Int, ms: Double) in
          let noise = 1 + Double.random(in: -0.01...0.01, using: &random)
          let slow = side == 1 && node == slowed ? factor : 1
          return (node, Double(1 + node % 5) * pace * noise * slow)
        }
        sides[side].append(try times(steps))
      }
    }
    return PairedRounds(old: sides[0], new: sides[1])
  }

  private func times(_ steps: [(node: Int, ms: Double)]) throws -> ProcessTimes {
    try #require(
      ProcessTimes([
        "model": "m", "threads": 1,
        "run_ms": ["median": .number(steps.reduce(0) { $0 + $1.ms })],
        "steps": .array(
          steps.map {
            [
              "subgraph": 0, "node": .integer($0.node), "operator": "CONV_2D", "ms": .number($0.ms),
            ]
          }),
      ]))
  }

  @Test func chanceIsRarelyBlamed() throws {
    var random = SeededGenerator(seed: 11)
    var alarms = 0
    for _ in 0..<200 {
      let rounds = try rounds(15, slowing: nil, &random)
      if rounds.speed.isCertain || rounds.steps?.changes.isEmpty != true { alarms += 1 }
    }
    #expect(alarms <= 10, "\(alarms) of 200")
  }

  @Test func theSlowerStepIsBlamed() throws {
    var random = SeededGenerator(seed: 12)
    var found = 0
    for trial in 0..<100 {
      let changes = try rounds(15, slowing: trial % 20, &random).steps?.changes ?? []
      if changes.map(\.name.node) == [trial % 20], changes[0].difference > 0 { found += 1 }
    }
    #expect(found >= 90, "\(found) of 100")
  }

  /// If all steps take twice the time, all steps are reported with their times.
  @Test func whatIsSlowerAsAWholeIsSo() throws {
    var random = SeededGenerator(seed: 13)
    var (old, new): ([ProcessTimes], [ProcessTimes]) = ([], [])
    for _ in 0..<10 {
      let noise = { 1 + Double.random(in: -0.01...0.01, using: &random) }
      old.append(try times((0..<8).map { ($0, noise()) }))
      new.append(try times((0..<8).map { ($0, 2 * noise()) }))
    }
    let rounds = PairedRounds(old: old, new: new)
    #expect(rounds.speed.isCertain && abs(rounds.speed.ratio - 0.5) < 0.01)
    #expect(!rounds.control.isCertain)
    let steps = try #require(rounds.steps)
    #expect(steps.common.isCertain && steps.changes.count == 8)
    for change in steps.changes {
      #expect(abs(change.oldMilliseconds - 1) < 0.05 && abs(change.newMilliseconds - 2) < 0.1)
    }
  }

  @Test func otherStepsAreNotCompared() throws {
    let old = try (0..<4).map { _ in try times([(0, 1), (1, 5)]) }
    let new = try (0..<4).map { _ in try times([(0, 1), (2, 5)]) }
    #expect(PairedRounds(old: old, new: new).steps == nil)
  }

  // MARK: - From the command

  @Test func programsTakeTurns() throws {
    let run = try ProgramRun(
      ofProcess: [
        "bench", "compare", CommandSamples.labeler, "@reference", "--rounds", "8", "--runs", "2",
        "--json",
      ])
    let result = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(result["rounds"] == 8 && result["runs"] == 2)
    #expect(result["is_certain"] == true)
    #expect(try #require(result["speed"]?.object?["ratio"]?.number) < 0.5)
    #expect(result["old"]?.object?["rounds_ms"]?.array?.count == 8)
    let missing = try ProgramRun(
      ofProcess: ["bench", "compare", CommandSamples.labeler, "--program", "/nowhere"])
    #expect(missing.code == 1 && missing.errors.contains("/nowhere"))
    let broken = try ProgramRun(ofProcess: ["bench", "compare", "/nowhere", "/nowhere"])
    #expect(broken.code == 1 && broken.errors.contains("/nowhere"))
    let deaf = try ProgramRun(
      ofProcess: ["bench", "compare", CommandSamples.labeler, "--program", "/bin/echo"])
    #expect(deaf.code == 1 && deaf.errors.contains("does not print JSON"))
  }

  /// Two numbers of threads are those of the two sides, which are one model.
  @Test(arguments: [[CommandSamples.labeler], [CommandSamples.labeler, CommandSamples.labeler]])
  func numbersOfThreadsTakeTurns(sides: [String]) throws {
    let options = ["--threads", "1,2", "--rounds", "2", "--runs", "1"]
    let run = try ProgramRun(ofProcess: ["bench", "compare"] + sides + options + ["--json"])
    let result = try #require(
      try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
    #expect(result["threads"] == .null)
    #expect(result["old"]?.object?["threads"] == 1 && result["new"]?.object?["threads"] == 2)
    #expect(result["steps_compared"]?.integer ?? 0 > 0)
    let text = try ProgramRun(ofProcess: ["bench", "compare"] + sides + options).output
    #expect(text.contains("one thread") && text.contains("2 threads"), "\(text)")
  }

  @Test func wrongComparisonsAreRefused() {
    let wrong = [
      ["compare", "a"], ["compare", "a", "b", "c"], ["compare", "a", "b", "--threads", "1,2"],
      ["compare", "a", "--threads", "1,2,4"], ["compare", "a", "a", "--threads", "1,2,4"],
      ["compare", "a", "@avx2", "--threads", "1,2"],
      ["compare", "a", "--program", "b", "--threads", "1,2"],
      ["compare", "a", "b", "--profile"], ["a", "--rounds", "3"], ["a", "--program", "b"],
      ["compare", "-", "a"], ["-", "a"], ["a@nothing"], ["a", "b", "--watch"],
      ["a", "--watch", "--json"], ["compare", "@avx2", "a"],
    ]
    for arguments in wrong {
      #expect(ProgramRun(["bench"] + arguments).code == 2, "\(arguments)")
    }
    let unseen = ProgramRun("bench", CommandSamples.labeler, "--watch")
    #expect(unseen.code == 2 && unseen.errors.contains("terminal"))
  }

  @Test func baselinesAreComparedWith() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/baseline.jsonl"
    let baseline = try ProgramRun(
      ofProcess: [
        "profile", CommandSamples.labeler, "--processes", "5", "--runs", "3", "--json",
      ])
    #expect(baseline.output.split(separator: "\n").count == 5)
    try FileSystem.write(Array(baseline.output.utf8), to: path)
    let slower = try ProgramRun(
      ofProcess: [
        "profile", CommandSamples.labeler + "@reference", "--baseline", path, "--runs", "3",
      ])
    #expect(slower.code == 0 && slower.output.contains("slower"), "\(slower.output)")
    let other = ProgramRun("profile", CommandSamples.detector, "--baseline", path)
    #expect(other.code == 1 && other.errors.contains("no results for scenes-detector"))
    for wrong in [["--processes", "2"], ["--baseline", path, "--csv"]] {
      #expect(ProgramRun(["profile", CommandSamples.labeler] + wrong).code == 2)
    }
  }

  @Test func severalModelsGetATable() throws {
    let run = try ProgramRun(
      ofProcess: [
        "bench", CommandSamples.labeler, "/nowhere.tflite", CommandSamples.labeler + "@reference",
        "--threads", "1,2", "--runs", "2",
      ])
    #expect(run.code == 3 && run.errors.contains("nowhere"))
    #expect(run.output.split(separator: "\n").count == 1 + 4, "\(run.output)")
    #expect(run.output.contains("scenes-labeler.tflite@reference"))
  }

  @Test func linesOfBars() {
    #expect("\(Sparkline([1, 2, 3, 4, 5, 6, 7, 8]))" == "▁▂▃▄▅▆▇█")
    #expect("\(Sparkline([]))" == "" && "\(Sparkline([0, 0]))" == "▁▁")
    #expect("\(Sparkline([1, 1.001]))" == "▁▁", "what differs by less than a hundredth looks alike")
  }
}
