import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct CompareCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(
    _ times: [(String, Double)], threads: Int = 1, to name: String
  ) throws -> String {
    try write(times.map { ($0, threads, $1) }, to: name)
  }

  private func write(_ times: [(String, Int, Double)], to name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    let lines = times.map { model, threads, time in
      #"{"model": "/models/\#(model)", "threads": \#(threads), "invoke_ms": {"median": \#(time)}}"#
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

  /// A model with one thread in one file and two in the other: the ratio is that of the threads.
  @Test func numbersOfThreadsAreCompared() throws {
    let one = try write([("a", 6), ("a", 6), ("a", 6), ("a", 6)], to: "one")
    let two = try write([("a", 4), ("a", 4), ("a", 4), ("a", 4)], threads: 2, to: "two")
    let run = ProgramRun("compare", one, two, "--json")
    #expect(run.code == 0, "\(run.errors)")
    let json = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let model = try #require(json["models"]?.array?.first?.object)
    #expect(model["threads"] == 1 && model["new_threads"] == 2)
    #expect(model["speed"]?.object?["ratio"]?.number == 1.5 && json["unmatched"] == 0)
    let text = ProgramRun("compare", one, two).output
    #expect(text.contains(/1, 2 +6.000 +4.000 +1.500/) && text.contains("faster"), "\(text)")
  }

  /// One number of threads is compared with each of several; equal numbers come first.
  @Test func everyNumberOfThreadsHasACounterpart() throws {
    let one = try write([("a", 1, 8.0), ("b", 1, 2), ("b", 2, 1)], to: "one")
    let others = try write(
      [("a", 2, 4.0), ("a", 4, 2), ("b", 2, 1), ("b", 4, 1)], to: "others")
    let run = ProgramRun("compare", one, others, "--json")
    let json = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let models = (json["models"]?.array ?? []).compactMap(\.object)
    #expect(models.map { $0["model"] } == ["a", "a", "b"])
    #expect(models.map { $0["new_threads"] } == [2, 4, 2])
    #expect(models.map { $0["speed"]?.object?["ratio"]?.number } == [2, 4, 1])
    #expect(json["unmatched"] == 2)
    // Two numbers against two others would be four guesses.
    let two = try write([("a", 1, 8.0), ("a", 2, 4)], to: "two")
    let more = try write([("a", 4, 2.0), ("a", 8, 1)], to: "more")
    #expect(ProgramRun("compare", two, more).code == 1)
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
