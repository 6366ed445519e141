import Foundation
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct KernelCommandTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func result(_ arguments: [String]) throws -> JSONObject {
    let run = ProgramRun(["kernel"] + arguments + ["--json"])
    #expect(run.code == 0, "\(run.errors)")
    return try #require(try JSONParser.parse(Array(run.output.utf8)).object)
  }

  private func implementations(_ arguments: [String]) throws -> [JSONObject] {
    let nodes = try #require(try result(arguments)["nodes"]?.array)
    return try #require(nodes.first?.object?["implementations"]?.array).compactMap(\.object)
  }

  @Test func addressesOfNodes() throws {
    let whole = try NodeAddress("model.tflite")
    #expect(whole.path == "model.tflite" && whole.node == nil)
    let node = try NodeAddress("a#b.tflite#12")
    #expect(node.path == "a#b.tflite" && node.subgraph == 0 && node.node == 12)
    let called = try NodeAddress("model.tflite#2:5")
    #expect(called.subgraph == 2 && called.node == 5)
    for wrong in ["m#", "m#x", "m#-1", "m#1:2:3", "m#1:", "m#:1", "m#99999999999999999999"] {
      #expect(throws: UsageError.self, "\(wrong)") { try NodeAddress(wrong) }
    }
    let missing = ProgramRun("kernel", "bench", "--from", CommandSamples.labeler + "#9999")
    #expect(missing.code == 1 && missing.errors.contains("no node 9999"))
    let subgraph = ProgramRun("kernel", "bench", "--from", CommandSamples.labeler + "#7:0")
    #expect(subgraph.code == 1 && subgraph.errors.contains("no subgraph 7"))
  }

  /// All instruction sets and the reference kernels are timed, and none gives a wrong result.
  @Test(arguments: [
    ["--from", CommandSamples.labeler + "#3"], ["--from", CommandSamples.detector + "#0"],
  ])
  func nodesOfModelsAreTimed(source: [String]) throws {
    let ways = try implementations(["bench"] + source)
    #expect(ways.allSatisfy { $0["is_wrong"] == false })
    let timed = ways.filter { $0["ms"] != .null }.compactMap { $0["name"]?.string }
    #expect(timed.contains("reference") && timed.count >= 2)
  }

  /// Nodes described by shapes have the multiply-adds worked out by hand.
  @Test(arguments: [
    (["CONV_2D", "--shape", "1x8x8x4,6x3x3x4"], 8 * 8 * 6 * 9 * 4),
    (["CONV_2D", "--shape", "1x8x8x4,6x3x3x4", "--option", "padding=valid"], 6 * 6 * 6 * 9 * 4),
    (
      ["CONV_2D", "--shape", "1x8x8x4,6x3x3x4", "--option", "stride_w=2", "--type", "int8"],
      8 * 4 * 6 * 9 * 4
    ),
    (["DEPTHWISE_CONV_2D", "--shape", "1x8x8x4,1x3x3x4", "--type", "uint8"], 8 * 8 * 4 * 9),
    (["FULLY_CONNECTED", "--shape", "5x16,7x16", "--type", "int16"], 5 * 16 * 7),
    (["FULLY_CONNECTED", "--shape", "5x16,7x16", "--weights", "int8"], 5 * 16 * 7),
    (
      [
        "TRANSPOSE_CONV", "--shape", "=1x8x8x3,3x2x2x5,1x4x4x5", "--option",
        "stride_h=2,stride_w=2",
      ],
      4 * 4 * 5 * 3 * 4
    ),
    (["ADD", "--shape", "1x64,1x64", "--type", "int8"], 0),
    (["LOGISTIC", "--shape", "64", "--type", "uint8"], 0),
    (["QUANTIZE", "--shape", "64", "--result", "int8"], 0),
    (["AVERAGE_POOL_2D", "--shape", "1x8x8x4", "--option", "filter_width=2,filter_height=2"], 0),
    (["MEAN", "--shape", "1x8x8x4,=1x2"], 0),
    (["EQUAL", "--shape", "64,64"], 0),
  ])
  func nodesCanBeDescribed(arguments: [String], multiplyAdds: Int) throws {
    let nodes = try result(["bench", "--no-limits"] + arguments)["nodes"]?.array
    let node = try #require(nodes?.first?.object)
    if multiplyAdds > 0 { #expect(node["multiply_adds"] == .integer(multiplyAdds)) }
    let ways = try #require(node["implementations"]?.array).compactMap(\.object)
    #expect(ways.allSatisfy { $0["is_wrong"] == false })
    #expect(ways.contains { $0["ms"] != .null } && ways.allSatisfy { $0["of_limit"] == .null })
  }

  @Test func wrongDescriptionsAreRefused() throws {
    let wrong: [(arguments: [String], message: String)] = [
      (["bench", "CONV_3X", "--shape", "1"], "no operator 'CONV_3X'"),
      (["bench", "CONV_2D"], "wants its operands"), (["bench"], "wants one of"),
      (["bench", "ADD", "--shape", "1xx2"], "no shape"),
      (["bench", "ADD", "--shape", "0x2"], "no shape"),
      (["bench", "CONV_2D", "--shape", "1x2x2x1,1x1x1x1", "--option", "strude_w=1"], "stride_w"),
      (
        ["bench", "CONV_2D", "--shape", "1x2x2x1,1x1x1x1", "--option", "padding=so"], "same, valid"
      ),
      (["bench", "ADD", "--shape", "2,2", "--type", "int7"], "--type is one of"),
      (["bench", "--from", "model.tflite"], "wants a node"), (["time"], "no 'time'"),
      (["extract", "model.tflite#1"], "where to"), (["extract", "-o", "x"], "say what"),
    ]
    for (arguments, message) in wrong {
      let run = ProgramRun(["kernel"] + arguments)
      #expect(run.code == 2 && run.errors.contains(message), "\(arguments): \(run.errors)")
    }
    // The engine's own error is reported.
    let mismatch = ProgramRun("kernel", "bench", "CONV_2D", "--shape", "1x8x8x4,6x3x3x5")
    #expect(mismatch.code == 1 && mismatch.errors.contains("CONV_2D"), "\(mismatch.errors)")
    let huge = ProgramRun("kernel", "bench", "ADD", "--shape", "2000000000x2000000000,1")
    #expect(huge.code == 2 && huge.errors.contains("more than"))
    let path = "\(folder.path)/huge.txt"
    let most = "2147483647"
    try FileSystem.write(
      Array("conv \(most) \(most) \(most) \(most) 1 \(most)".utf8), to: path)
    #expect(ProgramRun("kernel", "bench", "--shapes", path).code == 2)
  }

  /// A node keeps its operands' type, even if the file declares another one for its result.
  @Test func typesAreThoseOfTheRun() throws {
    let quantization = QuantizationRecord(scales: [0.5], zeroPoints: [3])
    let tensors = [("in", TensorType.uint8), ("middle", .float32), ("out", .uint8)].map {
      ModelWriter.Tensor($0, $1, [1, 4], quantization: quantization)
    }
    let add = OperatorCodeRecord(named: "ADD")
    let options = ModelWriter.Options(tag: BuiltinOptionsTag.add)
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [2],
        operators: [
          .init(add, inputs: [0, 0], outputs: [1], options: options),
          .init(add, inputs: [1, 0], outputs: [2], options: options),
        ])
    ])
    let (model, nodes) = (folder.path + "/retyped.tflite", folder.path + "/nodes")
    try FileSystem.write(writer.bytes(), to: model)
    let run = ProgramRun("kernel", "extract", model, "-o", nodes)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    #expect(run.output.split(separator: "\n").count { $0.contains("the same bits") } == 2)
  }

  @Test func linesOfFiles() throws {
    let path = "\(folder.path)/nodes.txt"
    try FileSystem.write(
      Array("# layers\nconv 8 8 4 3 2 6\ndense 5 1 16 1 1 7\nADD 64 64 int8  # sum\n".utf8),
      to: path)
    let list = try KernelList(path: path)
    #expect(list.requests.map(\.operatorName) == ["CONV_2D", "FULLY_CONNECTED", "ADD"])
    #expect(list.requests[0].title.contains("1x8x8x4 6x3x3x4"))
    #expect(list.requests[2].type == .int8 && list.requests[2].operands.count == 2)
    let run = ProgramRun("kernel", "bench", "--shapes", path)
    #expect(run.code == 0 && run.output.split(separator: "\n").count == 6, "\(run.output)")
    try FileSystem.write(Array("ADD 64 64\nconv 8 8\n".utf8), to: path)
    let broken = ProgramRun("kernel", "bench", "--shapes", path)
    #expect(broken.code == 1 && broken.errors.contains("line 2"))
  }

  /// Integer results must be equal; floats may differ by the order of additions.
  @Test func whatIsNotEquivalentIsRefused() {
    func difference<Number>(_ got: [Number], _ right: [Number], _ type: String) -> String? {
      func result(_ numbers: [Number]) -> OutputComparison.Result {
        .init(type: type, shape: [numbers.count], bytes: numbers.withUnsafeBytes { Array($0) })
      }
      return KernelBenchmark.difference(result(got), result(right))
    }
    #expect(difference([1, 2, 3] as [Int8], [1, 2, 3], "int8") == nil)
    #expect(difference([1, 2, 4] as [Int8], [1, 2, 3], "int8") != nil)
    #expect(difference([1, 2.000001, 1e-7] as [Float], [1, 2, 0], "float32") == nil)
    #expect(difference([1, 2.01] as [Float], [1, 2], "float32") != nil)
    #expect(difference([.nan] as [Float], [1], "float32") != nil)
    #expect(difference([1, 1e-3] as [Double], [1, 0], "float64") != nil)
    #expect(difference([1, 2] as [Int8], [1, 2, 3], "int8") != nil, "another shape")
  }

  /// Each extracted node gives the same bits alone as in its model, also as a case of `verify`.
  @Test(arguments: [CommandSamples.labeler, CommandSamples.detector])
  func extractedNodesAreCases(model: String) throws {
    let nodes = try #require(
      try result(["extract", model, "-o", folder.path + "/nodes"])["nodes"]?.array
    ).compactMap(\.object)
    #expect(nodes.count == (try Model(path: model).nodeCount))
    #expect(nodes.allSatisfy { $0["is_reproduced"] == true })
    let run = ProgramRun("verify", folder.path + "/nodes", "--in-process")
    #expect(
      run.code == 0 && run.output.contains("\(nodes.count) passed, 0 failed"), "\(run.output)")
  }

  /// The nodes of a loop and of its body are extracted.
  @Test func nodesOfCalledSubgraphsAreExtracted() throws {
    let model = try ConformanceCorpus().unpack("WHILE/int32_5_times.tflite", into: folder)
    let nodes = try #require(
      try result(["extract", model, "-o", folder.path + "/nodes"])["nodes"]?.array
    ).compactMap(\.object)
    #expect(nodes.contains { $0["node"]?.string?.contains(":") == true })
    #expect(nodes.allSatisfy { $0["is_reproduced"] == true })
  }

  @Test func nothingThatIsReadIsReplaced() throws {
    let model = folder.path + "/3-CONV_2D.tflite"
    try FileSystem.write(FileSystem.read(CommandSamples.labeler), to: model)
    let run = ProgramRun("kernel", "extract", model + "#3", "-o", folder.path)
    #expect(run.code == 2 && run.errors.contains("--force"))
    #expect(try FileSystem.sha256(of: model) == FileSystem.sha256(of: CommandSamples.labeler))
  }

  private static let zoo: [String] = {
    let folder = SharedFiles.folder.appending(path: "zoo/models")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "tflite" }.map(\.path).sorted()
  }()

  /// One node of each operator and type of every model gives the same bits alone as in its model.
  @Test(arguments: zoo)
  func everyOperatorOfTheZooIsReproduced(path: String) throws {
    var options = Interpreter.Options()
    options.budget.bytes = 4 << 30
    options.runsNodesSeparately = true
    // Some models of the zoo are invalid on purpose.
    guard let model = try? Model(path: path),
      let interpreter = try? Interpreter(model, options: options),
      (try? interpreter.allocate()) != nil
    else { return }
    for index in interpreter.inputs.indices { try interpreter.main.fillInput(at: index) }
    var seen: Set<String> = []
    try NodeCapture.run(interpreter, interpreter.main, try NodeAddress(path)) { node in
      let kind = "\(node.operatorName) \(node.operands.first?.type.name ?? "")"
      guard seen.insert(kind).inserted else { return }
      do {
        let difference = try SingleNode(node, of: model).difference(.init())
        #expect(difference == nil, "\(node.title) of \(path)")
      } catch let refusal as SingleNode.Refusal {
        // Only nodes with a variable tensor cannot be extracted.
        #expect(refusal.description.contains("variable"), "\(node.title) of \(path): \(refusal)")
      }
    }
    #expect(!seen.isEmpty)
  }
}
