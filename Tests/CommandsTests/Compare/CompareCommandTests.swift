import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct CompareCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ times: [(String, Double)], to name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    let lines = times.map { model, time in
      #"{"model": "/models/\#(model)", "threads": 1, "invoke_ms": {"median": \#(time)}}"#
    }
    try ((["{\"chosen\": \"avx2\"}"] + lines).joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Medians of 4 and 2 without any spread are a certain ratio of 2.
  @Test func ratiosAreThoseOfMedians() throws {
    let old = try write([("a", 4), ("a", 4), ("a", 4), ("a", 4), ("b", 1)], to: "old")
    let new = try write([("a", 2), ("a", 2), ("a", 2), ("a", 2), ("b", 1)], to: "new")
    let run = ProgramRun("compare", old, new, "--json")
    #expect(run.code == 0)
    let json = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let models = try #require(json["models"]?.array).compactMap(\.object)
    #expect(models.map { $0["speed"]?.object?["ratio"]?.number } == [2, 1])
    #expect(models[0]["speed"]?.object?["low"]?.number == 2)
    let mean = try #require(json["geometric_mean"]?.object?["ratio"]?.number)
    #expect(abs(mean - 2.0.squareRoot()) < 1e-12)
    #expect(ProgramRun("compare", old, new).output.contains("faster"))
  }

  /// Overlapping times are not called faster: their interval contains 1.
  @Test func whatMayBeChanceIsNotCalledFaster() {
    let speed = SpeedRatio(old: [1, 3, 2, 5, 4], new: [2, 1, 5, 3, 4])
    #expect(speed.ratio == 1)
    #expect(!speed.isCertain)
    #expect(!SpeedRatio(old: [10, 11, 12], new: [5, 6, 7]).isCertain, "three may be chance")
    #expect(SpeedRatio(old: [10, 11, 12, 10, 11], new: [5, 5.5, 6, 5, 6]).isCertain)
  }

  @Test func filesWithNothingInCommonAreAFailure() throws {
    let run = ProgramRun(
      "compare", try write([("a", 1)], to: "old"), try write([("b", 1)], to: "new"))
    #expect(run.code == 1)
    #expect(run.errors.contains("in both files"))
  }

  @Test func aBrokenLineIsNamed() throws {
    let path = "\(folder.path)/broken"
    try "{}\n{\"model\"".write(toFile: path, atomically: true, encoding: .utf8)
    let run = ProgramRun("compare", path, path)
    #expect(run.code == 1)
    #expect(run.errors.contains("line 2"))
  }
}
