import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

/// What models may use at the command line, and how to allow more.
@Suite struct BudgetOptionsTests {
  private let folder = try? TemporaryDirectory()

  /// A loop that goes round so often that it runs for hours.
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

  @Test func unlimitedLeavesNothingToLimit() throws {
    let run = ProgramRun("run", try endlessModel(), "--unlimited", "--memory", "1")
    #expect(run.code == 2)
    #expect(run.errors.contains("--memory"))
  }
}
