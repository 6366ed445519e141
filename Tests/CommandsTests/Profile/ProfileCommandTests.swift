import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProfile
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct ProfileCommandTests {
  private func report(_ arguments: String...) throws -> JSONObject {
    let run = ProgramRun(["profile"] + arguments + ["--json"])
    #expect(run.code == 0, "\(run.errors)")
    return try #require(try JSONParser.parse(Array(run.output.utf8)).object)
  }

  /// Inputs are read as by `run`: from pictures, from arrays, or generated.
  @Test func inputsAreThoseOfRun() throws {
    for input in [[], ["--input", CommandSamples.picture]] {
      let run = ProgramRun(
        ["profile", CommandSamples.detector, "--runs", "1", "--no-limits"] + input)
      #expect(run.code == 0 && run.output.contains("The slowest steps"), "\(run.errors)")
    }
    let wrong = ProgramRun("profile", CommandSamples.detector, "--input", "/nowhere.npy")
    #expect(wrong.code == 1 && wrong.errors.contains("/nowhere.npy"))
    let unknown = ProgramRun("profile", CommandSamples.detector, "--signature", "nothing")
    #expect(unknown.code == 1 && unknown.errors.contains("nothing"))
  }

  @Test func limitsAreLeftOutOnRequest() throws {
    let bare = try report(CommandSamples.labeler, "--runs", "2", "--no-limits")
    #expect(bare["limits"] == .null)
    let measured = try report(CommandSamples.labeler, "--runs", "2")
    #expect(measured["limits"]?.object?["levels"]?.array?.count ?? 0 >= 2)
    let steps = try #require(measured["steps"]?.array).compactMap(\.object)
    #expect(steps.contains { $0["bound"]?.string?.contains("products") == true })
  }

  /// The CSV has a line for each step, with the JSON's numbers under their names.
  @Test func csvHasALineForEachStep() throws {
    let run = ProgramRun(
      "profile", CommandSamples.labeler, "--runs", "2", "--csv", "--no-limits")
    let lines = run.output.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
    let titles = lines[0].split(separator: ",")
    #expect(titles.starts(with: ["subgraph", "node", "operator", "kernel"]))
    let report = try report(CommandSamples.labeler, "--runs", "2", "--no-limits")
    #expect(lines.count == 1 + (report["steps"]?.array?.count ?? 0))
  }

  @Test func runsCanBeWrittenForViewersAndReaders() throws {
    let folder = try TemporaryDirectory()
    let (trace, page) = ("\(folder.path)/run.json", "\(folder.path)/profile.html")
    let run = ProgramRun(
      "profile", CommandSamples.labeler, "--runs", "2", "--threads", "2", "--trace", trace,
      "--html", page)
    #expect(run.code == 0, "\(run.errors)")
    let events = try JSONParser.parse(FileSystem.read(trace)).object?["traceEvents"]?.array
    #expect((events?.count ?? 0) > 10)
    let html = String(decoding: try FileSystem.read(page), as: UTF8.self)
    #expect(html.contains("id=\"roof\"") && html.contains(#""command":"profile""#) == false)
  }

  @Test func formsExcludeEachOther() {
    let run = ProgramRun("profile", CommandSamples.labeler, "--csv", "--json")
    #expect(run.code == 2)
    let same = ProgramRun("profile", CommandSamples.labeler, "--html", CommandSamples.labeler)
    #expect(same.code == 2 && same.errors.contains("--force"))
  }

  /// A profile of noise says so, and compares nothing with the limits of the machine.
  @Test func noiseIsSaid() throws {
    let model = try Model(path: CommandSamples.labeler)
    let interpreter = try Interpreter(model)
    var switches = 0
    var counters = InterferenceCounters.none
    counters.involuntarySwitches = {
      switches += 1_000_000
      return switches
    }
    let profile = try Profile(
      of: interpreter, interpreter.main, options: .init(runs: 3), counters: { _ in counters })
    let report = ProfileReport(
      way: try ModelSpecifier(CommandSamples.labeler), model: model, signature: nil,
      backend: .ocellus, loadMilliseconds: 1, planningMilliseconds: 1, profile: profile,
      grouping: .operator, shownSteps: 3)
    #expect(report.warnings.first?.contains("interrupted 6 of 6 runs (6000000 involuntary") == true)
    #expect(!report.text.contains("of limit") && !report.text.contains("bound by"))
    #expect(report.csv.contains("of_limit"))
  }

  @Test func stepsAreGroupedAsAskedFor() {
    for grouping in ["operator", "kernel", "layer"] {
      let run = ProgramRun(
        "profile", CommandSamples.labeler, "--runs", "1", "--no-limits", "--by", grouping)
      #expect(run.code == 0 && run.output.contains(grouping) && run.output.contains("in all"))
    }
  }
}
