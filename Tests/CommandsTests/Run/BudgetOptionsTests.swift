import Foundation
import OcellusEngine
import OcellusModelFile
import OcellusProof
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The limits on models at the command line, and the options that raise them.
@Suite struct BudgetOptionsTests {
  private let folder = try? TemporaryDirectory()

  /// Writes a loop that would run for hours.
  private func endlessModel() throws -> String {
    var loop = SyntheticLoop()
    loop.rounds = .max
    let path = "\(try #require(folder).path)/endless.tflite"
    try Data(loop.bytes).write(to: URL(filePath: path))
    return path
  }

  @Test func aModelThatNeedsMoreTimeNamesTheOption() throws {
    let run = ProgramRun("run", try endlessModel(), "--run-limit", "1")
    #expect(run.code == 1)
    #expect(run.errors.contains("--run-limit S and --unlimited allow more"))
  }

  @Test func aModelThatNeedsMoreMemoryNamesTheOption() throws {
    let floats = ModelWriter.Tensor("x", .float32, [1000, 1000])
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "NEG"), reading: [floats], writing: [floats])
    let path = "\(try #require(folder).path)/large.tflite"
    try Data(writer.bytes()).write(to: URL(filePath: path))
    let run = ProgramRun("run", path, "--memory", "1")
    #expect(run.code == 1)
    #expect(run.errors.contains("--memory MIB and --unlimited allow more"))
  }

  /// `verify` limits only planning by default, because cases have limits of their own.
  @Test(
    arguments: [
      ([], nil, 60), (["--run-limit", "7"], 7, 7), (["--unlimited"], nil, nil),
    ] as [([String], Int?, Int?)])
  func planningIsLimitedWhereRunsAreNot(options: [String], run: Int?, planning: Int?) throws {
    let parsed = try ArgumentParser(VerifyCommand.definition).parse(["cases"] + options)
    let budget = try VerifyCommand(parsed).runner.options.budget
    #expect(budget.time == run.map { .seconds($0) })
    #expect((budget.planningTime ?? budget.time) == planning.map { .seconds($0) })
  }

  /// The help pages state the actual defaults.
  @Test func helpSaysTheDefaults() throws {
    let words = { (page: String) in
      page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(
      words(ProgramRun("verify", "--help").output).contains(
        "in seconds. Default: 60 for planning, and none for a run."))
    #expect(words(ProgramRun("run", "--help").output).contains("in seconds. Default: 60."))
    let parsed = try ArgumentParser(RunCommand.definition).parse(["model"])
    #expect(try BudgetOptions.read(parsed).time == .seconds(60))
  }

  @Test func unlimitedLeavesNothingToLimit() throws {
    let run = ProgramRun("run", try endlessModel(), "--unlimited", "--memory", "1")
    #expect(run.code == 2)
    #expect(run.errors.contains("--memory"))
  }
}
