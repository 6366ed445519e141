import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `--tune` and `--tuned`, which choose strategies by measurements.
@Suite struct TuningOptionsTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/strategies.txt" }

  init() throws { folder = try TemporaryDirectory() }

  /// Returns the members `chosen_by` of the nodes or steps that a command prints as JSON.
  private func grounds(_ arguments: [String], _ path: [String]) throws -> [String] {
    let run = ProgramRun(arguments)
    #expect(run.code == 0, "\(run.errors)")
    var value: JSONValue? = try JSONParser.parse(Array(run.output.utf8))
    for name in path { value = value?.object?[name] }
    return try #require(value?.array).compactMap { $0.object?["chosen_by"]?.string }
  }

  @Test func plansSayWhatWasMeasured() throws {
    let plan = ["inspect", CommandSamples.labeler, "--plan", "--json"]
    let predicted = try grounds(plan, ["plan", "nodes"])
    #expect(Set(predicted) == ["prediction"])
    let measured = try grounds(plan + ["--tune", "5", "--tuned", path], ["plan", "nodes"])
    #expect(measured.contains("measurement"))
    #expect(try grounds(plan + ["--tuned", path], ["plan", "nodes"]) == measured)
    let text = ProgramRun("inspect", CommandSamples.labeler, "--plan", "--tuned", path).output
    let lines = text.split(separator: "\n").filter { $0.contains(", measured ") }
    #expect(lines.count == measured.filter { $0 == "measurement" }.count)
  }

  @Test func profilesSayWhatWasMeasured() throws {
    let profile = ["profile", CommandSamples.labeler, "--runs", "1", "--no-limits"]
    let grounds = try grounds(profile + ["--tune", "5", "--json"], ["steps"])
    #expect(grounds.contains("measurement"))
    #expect(ProgramRun(profile + ["--tune", "5"]).output.contains(", measured"))
    #expect(!ProgramRun(profile).output.contains(", measured"))
    let forced = try self.grounds(
      profile + ["--strategy", "depthwise-int8=interleaved-rows", "--json"], ["steps"])
    #expect(forced.contains("request"))
  }

  @Test(arguments: [CommandSamples.detector, CommandSamples.floatDetector])
  func resultsAreTheSame(model: String) throws {
    let plain = ProgramRun("run", model, "--json")
    #expect(plain.code == 0, "\(plain.errors)")
    let tuned = ProgramRun(
      "run", model, "--json", "--tune", "1", "--tuned", path)
    let results = try [plain, tuned].map {
      try JSONParser.parse(Array($0.output.utf8)).object?["outputs"]
    }
    #expect(results[0] != nil && results[0] == results[1])
  }

  @Test func unusableFilesAreErrors() throws {
    try FileSystem.write(Array("a letter\n".utf8), to: path)
    for (file, problem) in [
      (folder.path + "/none.txt", "No such file"),
      (path, "\(path): this is not a file of measured strategies"),
    ] {
      for command in ["inspect", "bench", "run", "profile"] {
        let run = ProgramRun(command, CommandSamples.labeler, "--tuned", file)
        #expect(run.code == 1)
        #expect(run.errors.contains(problem), "\(run.errors)")
      }
    }
    let run = ProgramRun("bench", CommandSamples.labeler, "--tune", "1", "--tuned", path)
    #expect(run.code == 1)
    #expect(try FileSystem.read(path) == Array("a letter\n".utf8))
  }

  @Test(arguments: ["0", "-1", "soon", "1e9", "nan"])
  func unusableTimesAreErrors(seconds: String) {
    let run = ProgramRun("bench", CommandSamples.labeler, "--tune", seconds)
    #expect(run.code == 2)
    #expect(run.errors.contains("--tune wants a number"), "\(run.errors)")
  }
}
