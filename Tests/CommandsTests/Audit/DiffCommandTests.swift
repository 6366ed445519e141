import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `diff` on files and runs of two models.
@Suite struct DiffCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func json(_ arguments: String...) throws -> (code: Int32, object: JSONObject) {
    let run = ProgramRun(["diff"] + arguments + ["--json"])
    return (
      run.code, try #require(try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
    )
  }

  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = "\(folder.path)/\(name).tflite"
    try FileSystem.write(bytes, to: path)
    return path
  }

  /// A sum whose constants are too small to change the result for any likely input.
  private func sum(_ constant: Float) -> ModelWriter {
    .singleOperator(
      OperatorCodeRecord(named: "ADD"),
      reading: [
        .init("x", .float32, [1, 4]),
        .init(
          "tiny", .float32, [1, 4], constant: .init(bytesOf: [Float](repeating: constant, count: 4))
        ),
      ], writing: [.init("sum", .float32, [1, 4])], options: .init(tag: BuiltinOptionsTag.add))
  }

  /// The file of a model with one inverted bit in a constant.
  private func flipped(_ path: String, tensor: Int, byte: Int) throws -> [UInt8] {
    let file = try ModelFile(contentsOf: path)
    let start = try #require(file.bytes.buffer.baseAddress)
    let offset = try #require(
      file.graphs[0].tensors[tensor].withBytes { $0.baseAddress.map { $0 - start } } ?? nil)
    var bytes = try FileSystem.read(path)
    bytes[offset + byte] ^= 1
    return bytes
  }

  /// One bit in any constant of a real file makes another model of it, whether or not it is reached.
  @Test func oneBitMakesAnotherModel() throws {
    let path = CommandSamples.labeler
    let tensors = try ModelFile(contentsOf: path).graphs[0].tensors
    let constants = tensors.filter { ($0.withBytes(\.count) ?? 0) > 0 }
    #expect(constants.count > 20)
    for tensor in constants {
      let other = try write(flipped(path, tensor: tensor.index, byte: 0), to: "other")
      let (code, result) = try json(path, other, "--no-run")
      #expect(code == 1 && result["same_model"] == false)
      let differences = try #require(result["models"]?.object?["differences"]?.array)
      #expect(differences.count == 1)
      let difference = try #require(differences.first?.object)
      #expect(
        difference["aspect"] == "constant" && difference["first_tensor"]?.integer == tensor.index)
      #expect(difference["difference"]?.object?["different"] == 1)
    }
    let (code, same) = try json(path, path)
    #expect(code == 0 && same["same_model"] == true && same["first_divergent"] == .null)
    #expect(same["models"]?.object?["differences"] == [])
    #expect(same["models"]?.object?["constants"]?.integer == constants.count)
  }

  /// Equal results of unequal weights are not called the same model.
  @Test func whatNoInputReachesIsSeen() throws {
    let first = try write(sum(1e-37).bytes(), to: "first")
    let second = try write(sum(2e-37).bytes(), to: "second")
    let (code, result) = try json(first, second)
    #expect(code == 1 && result["same_model"] == false)
    #expect(result["equal_nodes"] == 1 && result["first_divergent"] == .null)
    let text = ProgramRun("diff", first, second)
    #expect(text.code == 1)
    #expect(text.output.contains("different 1 of 1 constants"), "\(text.output)")
    #expect(text.output.contains("4 of 4"))
    #expect(text.output.contains("same bits on these inputs, although the models differ"))
    // Who asks for a ratio of results gets an answer about results.
    #expect(ProgramRun("diff", first, second, "--min-sqnr", "20").code == 0)
  }

  /// A quantized twin is another graph by intention; only `--no-run` takes that for a failure.
  @Test func twinsDifferByIntention() throws {
    let (code, result) = try json(CommandSamples.floatDetector, CommandSamples.detector)
    #expect(code == 0 && result["same_model"] == false)
    let models = try #require(result["models"]?.object)
    #expect(models["same_graphs"] == false && models["constants"]?.integer ?? 0 > 50)
    let constants = try #require(models["differences"]?.array).compactMap(\.object)
      .filter { $0["aspect"] == "constant" }
    // Weights of 8 bits are within a few decibels of 40.
    let ratios = constants.compactMap { $0["difference"]?.object?["sqnr_db"]?.number }
    #expect(ratios.count > 50 && ratios.allSatisfy { $0 > 20 })
    #expect(
      ProgramRun("diff", CommandSamples.floatDetector, CommandSamples.detector, "--no-run").code
        == 1)
  }

  /// Files can be compared although this program has not all of their operators.
  @Test func filesNeedNotRun() throws {
    let writers = [UInt8(1), 2].map { option in
      ModelWriter.singleOperator(
        OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: "Strange"),
        reading: [.init("x", .float32, [1])], writing: [.init("y", .float32, [1])],
        customOptions: [0, option])
    }
    let paths = [
      try write(writers[0].bytes(), to: "a"), try write(writers[1].bytes(), to: "b"),
    ]
    let run = ProgramRun("diff", paths[0], paths[1], "--no-run")
    #expect(run.code == 1 && run.output.contains("options: 1"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("different from byte 1 on"))
    #expect(ProgramRun("diff", paths[0], paths[0], "--no-run").code == 0)
    // The files have been compared before the run fails.
    let failed = ProgramRun("diff", paths[0], paths[1])
    #expect(failed.code == 1 && failed.output.contains("options: 1"))
    #expect(failed.errors.contains("Strange"))
  }

  /// A trace tells of which file it is.
  @Test func tracesOfOtherFilesAreSeen() throws {
    let first = try write(sum(1e-37).bytes(), to: "first")
    let second = try write(sum(2e-37).bytes(), to: "second")
    let trace = folder.path + "/trace"
    #expect(ProgramRun("trace", first, "-o", trace).code == 0)
    #expect(try json(first, trace).object["same_model"] == true)
    let (code, result) = try json(second, trace)
    #expect(code == 0 && result["same_model"] == false && result["models"] == .null)
    #expect(ProgramRun("diff", second, trace).output.contains("come from another file"))
    #expect(ProgramRun("diff", first, trace, "--no-run").code == 2)
    #expect(ProgramRun("diff", first, second, "--no-run", "--min-sqnr", "3").code == 2)
  }

  /// The reference is the signal: the first side of `diff`, and what `audit` compares with.
  @Test func ratiosOfDiffAndAuditAreOne() throws {
    let (float, int8) = (CommandSamples.floatDetector, CommandSamples.detector)
    // The same numbers for both: in steps of the quantized input, and as these numbers themselves.
    let graph = try ModelFile(contentsOf: int8).graphs[0]
    let input = graph.tensors[graph.inputs[0]]
    let quantization = try #require(input.quantization)
    let (scale, zeroPoint) = (Double(quantization.scales[0]), quantization.zeroPoints[0])
    var random = SeededGenerator(seed: 5)
    let steps = (0..<input.shape.reduce(1, *)).map { _ in UInt8.random(in: 0...255, using: &random)
    }
    let numbers = steps.map { Float(Double(Int($0) - zeroPoint) * scale) }
    let (stepsPath, numbersPath) = (folder.path + "/steps.bin", folder.path + "/numbers.bin")
    try FileSystem.write(steps, to: stepsPath)
    try FileSystem.write(.init(bytesOf: numbers), to: numbersPath)
    let (_, diff) = try json(float, int8, "--input", numbersPath)
    let audit = ProgramRun("audit", int8, "--against", float, "--input", stepsPath, "--json")
    let nodes = try #require(
      try JSONParser.parse(Array(audit.output.utf8)).object?["nodes"]?.array, "\(audit.errors)")
    var ratios: [Int: Double] = [:]
    for node in nodes.compactMap(\.object) {
      ratios[node["node"]?.integer ?? -1] = node["sqnr_db"]?.number
    }
    let layers = try #require(diff["nodes"]?.array).compactMap(\.object)
    #expect(layers.count > 50)
    for layer in layers {
      let node = try #require(layer["second_node"]?.integer)
      #expect(layer["difference"]?.object?["sqnr_db"]?.number == ratios[node], "node \(node)")
    }
  }
}
