import OcellusModelFile
import Testing

/// The public view of a file's records equals the fields from which the file was written.
@Suite struct ReadingTests {
  @Test func graphsSayWhatTheFileSays() throws {
    let file = try ModelFile(bytes: HandMadeModel().bytes)
    #expect(file.version == 3 && file.description == "hand-made" && file.graphs.count == 1)
    #expect(file.signatures.isEmpty && file.metadataNames.isEmpty)
    #expect(file.metadataBytes(named: "none") == nil)
    let graph = file.graphs[0]
    #expect(graph.name == "main" && graph.inputs == [0] && graph.outputs == [2])
    #expect(graph.tensors.map(\.name) == ["input", "constant", "output"])
    #expect(graph.tensors.map(\.isConstant) == [false, true, false])
    #expect(graph.tensors.allSatisfy { $0.type == .float32 && $0.shape == [2] && !$0.isVariable })
    #expect(graph.nodes.count == 1)
    let node = graph.nodes[0]
    #expect(node.operatorName == "ADD" && !node.isCustom && node.version == 1)
    #expect(node.inputs == [0, 1] && node.outputs == [2])
    let options = try node.options()
    #expect(options.map(\.name) == ["fused_activation_function"])
    #expect(options.map(\.value) == [.integer(1)])
    #expect(try node.customOptions() == nil && node.customOptionBytes.isEmpty)
  }

  /// A tensor's constant stays readable after the file object is gone.
  @Test func constantsHoldTheirMemory() throws {
    let tensors = try ModelFile(bytes: HandMadeModel().bytes).graphs[0].tensors
    #expect(tensors[1].elements(as: Float.self) == [1, 2])
    #expect(tensors[1].elements(as: UInt32.self) == [0x3F80_0000, 0x4000_0000])
    #expect(tensors[1].elements(as: Int8.self) == nil)
    #expect(tensors[0].elements(as: Float.self) == nil)
    #expect(tensors[1].withBytes { Array($0) } == [0, 0, 128, 63, 0, 0, 0, 64])
    #expect(tensors[0].withBytes { $0.count } == nil)
    #expect(try tensors[1].strings() == nil)
  }

  @Test func leftOutOperandsAreNil() throws {
    var model = HandMadeModel()
    model.node[1] = .int32s([0, -1])
    #expect(try ModelFile(bytes: model.bytes).graphs[0].nodes[0].inputs == [0, nil])
  }

  @Test func customOptionsAreValues() throws {
    var model = HandMadeModel()
    model.codes = [[0: .int8(32), 1: .string("Mine"), 2: .int32(7), 3: .int32(32)]]
    let options = FlexValue.map([
      "size": .int(-3), "large": .uint(.max), "share": .float(0.5), "isFast": .bool(true),
      "names": .vector([.string("a"), .null]),
    ])
    model.node[3] = nil
    model.node[4] = nil
    model.node[5] = .bytes(options.encoded)
    let node = try ModelFile(bytes: model.bytes).graphs[0].nodes[0]
    #expect(node.operatorName == "Mine" && node.isCustom && node.version == 7)
    #expect(try node.options().isEmpty)
    #expect(
      try node.customOptions()
        == .map([
          "size": .integer(-3), "large": .number(Double(UInt64.max)), "share": .number(0.5),
          "isFast": .bool(true), "names": .list([.string("a"), .null]),
        ]))
  }

  @Test func stringsAreRead() throws {
    var model = HandMadeModel()
    let packed = try #require(PackedStrings.bytes(of: [Array("cat".utf8), Array("é".utf8)]))
    model.buffers[1] = [0: .bytes(packed, alignment: 16)]
    model.tensors[1][1] = .int8(5)
    #expect(try ModelFile(bytes: model.bytes).graphs[0].tensors[1].strings() == ["cat", "é"])
  }

  @Test func filesThatAreNoneAreRefused() {
    #expect(throws: ModelFileError.self) { try ModelFile(bytes: [1, 2, 3]) }
    #expect(throws: ModelFileError.self) { try ModelFile(contentsOf: "/nowhere.tflite") }
  }
}
