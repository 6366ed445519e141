import OcellusArrays
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `identify` and `--numerics` on a FULLY_CONNECTED whose only sum is a tie: 1 · 0.5 becomes 1 with
/// the reference kernels, and 0 with LiteRT's default.
@Suite struct IdentifyCommandTests {
  private let directory: TemporaryDirectory
  private let model: String

  init() throws {
    directory = try TemporaryDirectory()
    model = directory.path + "/tie.tflite"
    func scale(_ scale: Float) -> QuantizationRecord {
      QuantizationRecord(scales: [scale], zeroPoints: [0])
    }
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: "FULLY_CONNECTED") ?? BuiltinOperator.custom,
      version: 4)
    let writer = ModelWriter.singleOperator(
      code,
      reading: [
        .init("x", .int8, [1, 1], quantization: scale(1)),
        .init("w", .int8, [1, 1], constant: [1], quantization: scale(0.5)),
      ], writing: [.init("y", .int8, [1, 1], quantization: scale(1))],
      options: .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)]))
    try FileSystem.write(writer.bytes(), to: model)
  }

  private func file(_ byte: UInt8) throws -> String {
    let path = "\(directory.path)/\(byte).npy"
    try FileSystem.write(NPYArray(element: .int8, shape: [1, 1], bytes: [byte]).file, to: path)
    return path
  }

  private func identify(_ output: UInt8) throws -> (code: Int32, reproducing: [String]) {
    let run = ProgramRun(
      ["identify", model, "--input", try file(1), "--output", try file(output), "--json"])
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    return (run.code, report["reproducing"]?.array?.compactMap(\.string) ?? [])
  }

  @Test func tiesTellTheRuntimesApart() throws {
    let ofLiteRT = ["avx2", "avx2-intel", "avx512", "neon"].map { "litert-2.3/\($0)" }
    #expect(try identify(0) == (0, ofLiteRT))
    #expect(try Set(identify(1).reproducing) == ["exact", "fast", "bfloat16"])
    #expect(try identify(5) == (4, []))
  }

  @Test func numericsCanBeNamed() throws {
    for (name, byte) in [
      ("exact", UInt8(1)), ("litert", 0), ("litert-2.3/avx2", 0), ("litert-2.3/avx2-intel", 0),
      ("litert-2.3/avx512", 0), ("litert-2.3/neon", 0), ("bfloat16", 1),
    ] {
      let out = directory.path + "/" + name.replacing("/", with: "-") + "/"
      let run = ProgramRun(
        ["run", model, "--numerics", name, "--input", try file(1), "--output", out])
      #expect(run.code == 0)
      let array = try NPYArray(file: try FileSystem.read(out + "0-y.npy"))
      #expect(array.bytes == [byte], "\(name)")
    }
    let contradiction = ProgramRun(["run", model, "--exact", "--numerics", "litert"])
    #expect(contradiction.code == 2)
    #expect(contradiction.errors.contains("--exact contradicts --numerics"))
    #expect(ProgramRun(["run", model, "--numerics", "litert-9"]).code == 2)
  }

  @Test func inspectShowsTheKernels() {
    let model = CommandSamples.floatDetector
    let plain = ProgramRun("inspect", model, "--ops")
    let rounded = ProgramRun("inspect", model, "--ops", "--numerics", "bfloat16")
    #expect(rounded.code == 0 && rounded.output.contains("gemm bfloat16"))
    #expect(!plain.output.contains("bfloat16"))
  }

  @Test func inspectNamesTheGaps() throws {
    let run = ProgramRun(["inspect", model, "--numerics", "litert", "--json"])
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    let coverage = try #require(report["litert"]?.object)
    #expect(coverage["delegated"]?.integer == 1)
    #expect(coverage["gaps"]?.array?.isEmpty == true)
  }
}
