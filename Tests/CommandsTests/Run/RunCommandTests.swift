import OcellusArrays
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `run` on a RESHAPE, which copies its input: the output must equal the input.
@Suite struct RunCommandTests {
  private let directory: TemporaryDirectory
  /// The path of a model that reshapes its float32 input x0 of shape [4, 4, 3].
  private let model: String

  init() throws {
    directory = try TemporaryDirectory()
    model = try ConformanceCorpus().unpack("RESHAPE/float32_infer.tflite", into: directory)
  }

  private func run(_ arguments: String...) -> ProgramRun {
    ProgramRun(["run", model] + arguments)
  }

  private func shape() throws -> [Int] {
    let report = try #require(try JSONParser.parse(Array(run("--json").output.utf8)).object)
    let input = try #require(report["inputs"]?.array?.first?.object)
    return try #require(input["shape"]?.array).compactMap(\.integer)
  }

  /// Each of tens of thousands of inputs is described once, not all of them for each.
  @Test(.timeLimit(.minutes(1))) func manyInputsTakeLinearTime() throws {
    let addN = OperatorCodeRecord(builtinCode: 106)
    let many = ModelWriter.singleOperator(
      addN, reading: (0..<40_000).map { .init("x\($0)", .float32, [1]) },
      writing: [.init("y", .float32, [1])])
    let path = directory.path + "/many.tflite"
    try FileSystem.write(many.bytes(), to: path)
    #expect(ProgramRun(["run", path]).code == 0)
  }

  @Test func arraysGoInAndOut() throws {
    let shape = try shape()
    let numbers = (0..<shape.reduce(1, *)).map { Float($0) / 4 }
    let array = NPYArray(
      element: .float32, shape: shape, bytes: numbers.withUnsafeBytes { Array($0) })
    let file = directory.path + "/in.npy"
    try FileSystem.write(array.file, to: file)
    let run = run("--input", "x0=\(file)", "--output", directory.path + "/new/out", "--json")
    #expect(run.code == 0)
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["model"] == .string(model))
    #expect(report["inputs"]?.array?.first?.object?["file"] == .string(file))
    let output = try #require(report["outputs"]?.array?.first?.object)
    #expect(output["type"] == "float32")
    let path = try #require(output["file"]?.string)
    let written = try NPYArray(file: try FileSystem.read(path))
    #expect(written.bytes == array.bytes)
    #expect(output["minimum"] == .number(0))
  }

  /// The operators of compilers for other processors; the message says which file would run.
  @Test(arguments: [
    ("edgetpu-custom-op", "Edge TPU"), ("ethos-u", "Ethos-U"), ("FlexErf", "TFLITE_BUILTINS"),
  ])
  func compiledModelsAreNamed(name: String, advice: String) throws {
    let compiled = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: name),
      reading: [.init("x", .float32, [3])], writing: [.init("y", .float32, [3])]
    ).bytes()
    let path = directory.path + "/compiled.tflite"
    try FileSystem.write(compiled, to: path)
    let run = ProgramRun("run", path)
    #expect(run.code == 1)
    #expect(run.errors.contains(advice), "\(run.errors)")
  }

  @Test func bareBytesGoInByPosition() throws {
    let count = try shape().reduce(1, *)
    let file = directory.path + "/in.bin"
    try FileSystem.write([UInt8](repeating: 0, count: 4 * count), to: file)
    #expect(run("--input", file).code == 0)
    try FileSystem.write([1, 2, 3], to: file)
    let short = run("--input", file)
    #expect(short.code == 1)
    #expect(short.errors.contains("has 3 bytes, and input 'x0'"))
  }

  @Test func madeUpInputsAreTheDeterministicStream() {
    #expect(run().output.contains("0.8833108, 0.43152797, 0.026433766"))
  }

  @Test func wrongInputsAreNamed() throws {
    #expect(
      run("--input", "y=a.npy").errors == "ocellus: there is no input 'y'; the model has 'x0'\n")
    #expect(run("--input", "a.npy", "--input", "b.npy").errors.contains("2 files are given"))
    #expect(run("--input", "0=a.npy", "--input", "x0=b.npy").errors.contains("is given twice"))
    #expect(run("--signature", "s").code == 1)
    let wrong = NPYArray(element: .int8, shape: [1], bytes: [1])
    let file = directory.path + "/in.npy"
    try FileSystem.write(wrong.file, to: file)
    #expect(run("--input", file).code == 1)
    try FileSystem.write(Array("no array".utf8), to: file)
    #expect(run("--input", file).errors.contains("in.npy: it does not start as a .npy file does"))
  }
}

/// Pictures and streams as inputs.
@Suite struct RunInputTests {
  /// `run` uses all pixels of a picture, as `label --exact` does.
  @Test func picturesAreShownAsOtherCommandsShowThem() throws {
    let folder = try TemporaryDirectory()
    let dump = folder.path + "/shown.npy"
    let (model, picture) = (CommandSamples.labeler, CommandSamples.picture)
    #expect(ProgramRun("label", picture, "-m", model, "--exact", "--dump-input", dump).code == 0)
    let shown = ProgramRun("run", model, "--input", picture, "--output", folder.path + "/a")
    let given = ProgramRun("run", model, "--input", dump, "--output", folder.path + "/b")
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(given.code == 0)
    for name in try FileSystem.entries(of: folder.path + "/a") {
      #expect(
        try FileSystem.read("\(folder.path)/a/\(name)")
          == FileSystem.read("\(folder.path)/b/\(name)"))
    }
    let digests = try [picture, dump].map { input in
      let trace = ProgramRun("trace", model, "--input", input, "--level", "digest", "--json")
      return try JSONParser.parse(Array(trace.output.utf8)).object?["sources"]
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func modelsComeFromStandardInput() throws {
    for command in [["run"], ["inspect"], ["bench", "--runs", "1"]] {
      let run = try ProgramRun(
        inShell: #""$0" "$@" - --json < "\#(CommandSamples.labeler)""#, command)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.contains(try FileSystem.sha256(of: CommandSamples.labeler)))
    }
  }

  @Test func damagedPicturesAreNamed() throws {
    let folder = try TemporaryDirectory()
    let file = folder.path + "/damaged.jpg"
    try FileSystem.write(Array(FileSystem.read(CommandSamples.picture).prefix(100)), to: file)
    let run = ProgramRun("run", CommandSamples.labeler, "--input", file)
    #expect(run.code == 1)
    #expect(run.errors.contains(file))
  }
}
