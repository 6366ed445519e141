import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ModelWriterTests {
  /// A quantized convolution with per-channel weights, as converters write it.
  private static let convolution = ModelWriter.singleOperator(
    OperatorCodeRecord(builtinCode: 3, version: 3),
    reading: [
      .init(
        "input", .int8, [1, 4, 4, 1], shapeSignature: [-1, 4, 4, 1],
        quantization: QuantizationRecord(scales: [0.5], zeroPoints: [-3])),
      .init(
        "weights", .int8, [2, 1, 1, 1], constant: [5, 7],
        quantization: QuantizationRecord(scales: [0.25, 0.125], zeroPoints: [0, 0], axis: 0)),
      .init("bias", .int32, [2], constant: Array(bytesOf: [Int32(10), -10])),
    ],
    writing: [.init("output", .int8, [1, 2, 2, 2])],
    options: .init(
      tag: BuiltinOptionsTag.conv2D,
      [0: .int8(1), 1: .int32(2), 2: .int32(2), 3: .int8(3), 6: .int8(2)]))

  @Test func everyFieldComesBack() throws {
    let file = try Self.convolution.file()
    #expect(file.version == 3)
    #expect(file.operatorCodes.map(\.name) == ["CONV_2D"])
    #expect(file.operatorCodes[0].version == 3)

    let graph = file.subgraphs[0]
    #expect(graph.inputs == [0] && graph.outputs == [3])
    #expect(graph.tensors.map(\.name) == ["input", "weights", "bias", "output"])
    #expect(graph.tensors[0].shapeSignature == [-1, 4, 4, 1])
    #expect(graph.tensors[0].quantization?.zeroPoints == [-3])
    #expect(graph.tensors[1].quantization?.scales == [0.25, 0.125])
    #expect(graph.tensors[1].data.map { Array($0) } == [5, 7])
    #expect(graph.tensors[2].data?.count == 8)
    #expect(graph.tensors[3].data == nil)

    let options = try #require(
      graph.operators[0].options.table(ifTagged: BuiltinOptionsTag.conv2D))
    #expect(try options.integer(0, as: Int8.self) == 1)
    #expect(try options.integer(1, as: Int32.self) == 2)
    #expect(try options.integer(4, as: Int32.self, default: 1) == 1)
    #expect(graph.operators[0].options.table(ifTagged: BuiltinOptionsTag.pool2D) == nil)
  }

  @Test func constantsAreAlignedAsTheSchemaDemands() throws {
    let file = try Self.convolution.file()
    let start = try #require(file.bytes.buffer.baseAddress)
    for tensor in file.subgraphs[0].tensors {
      guard let data = tensor.data?.baseAddress else { continue }
      #expect((data - start) % 16 == 0)
    }
  }

  @Test func allKindsOfQuantizationComeBack() throws {
    let blockwise = QuantizationRecord(
      axis: 1,
      blockwise: .init(scalesTensor: 1, zeroPointsTensor: -1, blockSize: 32))
    let multiAxis = QuantizationRecord(
      multiAxis: .init(scalesTensor: 1, zeroPointsTensor: 0, blockSize: 0, axes: [0, 1]))
    let range = QuantizationRecord(minimum: [-1], maximum: [2])
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: 0),
      reading: [
        .init(
          "a", .int4, [2, 32], constant: Array(repeating: 0, count: 32), quantization: blockwise),
        .init("scales", .float16, [2], constant: [0, 60, 0, 60]),
        .init("b", .int8, [2, 2], quantization: multiAxis),
      ],
      writing: [.init("c", .float32, [2], quantization: range)])
    let tensors = try writer.file().subgraphs[0].tensors
    #expect(tensors[0].quantization == blockwise)
    #expect(tensors[1].quantization == nil)
    #expect(tensors[2].quantization == multiAxis)
    #expect(tensors[3].quantization == range)
  }

  @Test func sparsityAndVariablesComeBack() throws {
    // [[0, 3], [0, 0], [4, 0]]
    let sparsity = SparsityRecord(
      traversalOrder: [0, 1], blockMap: [],
      dimensions: [
        .init(format: .dense, denseSize: 3),
        .init(format: .sparseCSR, arraySegments: [0, 1, 1, 2], arrayIndices: [1, 0]),
      ])
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: 124),
      reading: [
        .init("sparse", .int8, [3, 2], constant: [3, 4], sparsity: sparsity),
        .init("state", .float32, [2], isVariable: true),
      ],
      writing: [.init("dense", .int8, [3, 2])])
    let graph = try writer.file().subgraphs[0]
    #expect(graph.tensors[0].sparsity == sparsity)
    #expect(graph.tensors[1].isVariable)
    #expect(graph.inputs.isEmpty)
  }

  @Test func signaturesMetadataAndCustomOptionsComeBack() throws {
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: "Über"),
      reading: [.init("a", .float32, [])], writing: [.init("b", .float32, [])],
      customOptions: [1, 2, 3])
    writer.description = "a test"
    writer.signatures = [
      SignatureRecord(
        key: "serving_default", subgraphIndex: 0, inputs: [.init(name: "x", tensor: 0)],
        outputs: [.init(name: "y", tensor: 1)])
    ]
    writer.metadata = [.init(name: "notes", bytes: [9, 8])]
    let file = try writer.file()
    #expect(file.description == "a test")
    #expect(file.operatorCodes[0].name == "Über")
    #expect(Array(file.subgraphs[0].operators[0].customOptions) == [1, 2, 3])
    #expect(file.signatures == writer.signatures)
    #expect(file.metadata.map(\.name) == ["notes"])
    #expect(file.metadata.map { Array($0.bytes) } == [[9, 8]])
  }

  @Test func extractionKeepsOnlyWhatTheOperatorNeeds() throws {
    var writer = Self.convolution
    let relu = ModelWriter.Operator(OperatorCodeRecord(builtinCode: 19), inputs: [3], outputs: [4])
    writer.subgraphs[0].operators.append(relu)
    writer.subgraphs[0].tensors.append(.init("relu", .int8, [1, 2, 2, 2]))
    let file = try writer.file()

    let first = try ModelFile(
      ModelBytes(ModelWriter.extracting(operator: 0, ofSubgraph: 0, from: file)))
    #expect(try ModelWriter(copying: first) == ModelWriter(copying: Self.convolution.file()))

    let second = try ModelFile(
      ModelBytes(ModelWriter.extracting(operator: 1, ofSubgraph: 0, from: file)))
    #expect(second.operatorCodes.map(\.name) == ["RELU"])
    #expect(second.subgraphs[0].tensors.map(\.name) == ["output", "relu"])
    #expect(second.subgraphs[0].inputs == [0] && second.subgraphs[0].outputs == [1])
  }

  @Test func extractionBringsCalledSubgraphsAlong() throws {
    let identity = { (name: String) in
      ModelWriter.Subgraph(
        name: name, tensors: [.init("x", .float32, [])], inputs: [0], outputs: [0], operators: [])
    }
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: 118),
      reading: [.init("condition", .bool, []), .init("x", .float32, [])],
      writing: [.init("y", .float32, [])],
      options: .init(tag: BuiltinOptionsTag.if, [0: .int32(3), 1: .int32(1)]))
    writer.subgraphs += [identity("else"), identity("unused"), identity("then")]
    let extracted = try ModelFile(
      ModelBytes(ModelWriter.extracting(operator: 0, ofSubgraph: 0, from: writer.file())))
    let options = try #require(extracted.subgraphs[0].operators[0].options.table)
    let branches = [
      try options.integer(0, as: Int32.self), try options.integer(1, as: Int32.self),
    ]
    #expect(branches.map { extracted.subgraphs[$0].name } == ["then", "else"])
    #expect(extracted.subgraphs.count == 3)
  }
}
