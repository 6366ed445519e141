import OcellusImaging
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import OcellusVision
import Testing

@testable import OcellusCommands

@Suite struct ModelSourceTests {
  @Test func modelsOfAStreamAreNamedByTheirDigest() throws {
    let bytes = SyntheticLabeler.writer.bytes()
    let source = ModelSource.stream(ModelBytes(bytes))
    #expect(source.json["model"]?.string == "-")
    #expect(source.json["model_sha256"]?.string == SHA256.hash(bytes).hexadecimal)
    #expect(source.explanation.entries.map(\.property) == ["input 0", "output 0"])
    let options = ImageLabeler.Options(activation: ScoreActivation.none)
    let labeler = try source.open(
      at: { try ImageLabeler(path: $0, options: options) },
      or: { try ImageLabeler($0, options: options) })
    #expect(labeler.input.tensor.size.width == 4)
  }

  /// A model from a pipe gives the same output as from its file.
  @Test(arguments: [("detect", CommandSamples.detector), ("label", CommandSamples.labeler)])
  func pipesBringModels(command: String, model: String) throws {
    let arguments = [command, CommandSamples.picture, "--csv", "-m"]
    let piped = try ProgramRun(inShell: "cat '\(model)' | \"$0\" \"$@\"", arguments + ["-"])
    #expect(piped.code == 0 && piped.errors.isEmpty)
    #expect(piped.output.contains("\n"))
    #expect(piped.output == ProgramRun(arguments + [model]).output)
  }

  @Test(arguments: ["detect", "label", "segment", "pose", "embed"])
  func standardInputIsOneThing(command: String) {
    let run = ProgramRun(command, "-", "-m", "-")
    #expect(run.code == ExitCode.wrongUsage.rawValue)
    #expect(run.errors.contains("the model or a picture, not both"))
  }

  @Test(arguments: ["detect", "label"])
  func standardInputIsNotRecorded(command: String) {
    let run = ProgramRun(command, CommandSamples.picture, "-m", "-", "--record", "/nowhere")
    #expect(run.code == ExitCode.wrongUsage.rawValue)
    #expect(run.errors.contains("--record"))
  }
}
