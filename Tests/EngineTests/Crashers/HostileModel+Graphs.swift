import OcellusModelFile
import OcellusTestSupport

/// Graphs with cycles or aliases, and graphs that use one kind of object as another.
extension HostileModel {
  static let graphs: [HostileModel] = [
    .init(
      "quantized tensor without quantization", "CVE-2021-37682",
      model(
        "CONV_2D",
        [
          input([1, 2, 2, 1], .int8), Tensor("w", .int8, [1, 1, 1, 1], constant: [1]),
          Tensor("b", .int32, [1], constant: [0, 0, 0, 0]),
        ], [output([1, 2, 2, 1], .int8)],
        options: .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1)]))),
    .init("operand left out that must be there", "CVE-2020-15209", withoutOperand),
    .init("output that is an input of the same node", "CVE-2020-15210", aliased),
    .init("nodes that need each other", "CVE-2021-29591", cycle),
    .init("loop whose body is itself", "CVE-2021-29591", loop(condition: 1, body: 0)),
    .init("loop that never ends", "CVE-2021-29591", loop(condition: 1, body: 2)),
    .init("resource number that nobody gave out", "LiteRT a600107b2", resource),
    .init(
      "string offsets out of range", "LiteRT 2026",
      model(
        "GATHER",
        [
          Tensor("s", .string, [2], constant: Array(bytesOf: [2, 12, .max, 16] as [Int32])),
          integers([1]),
        ], [output([1], .string)], options: .init(tag: BuiltinOptionsTag.gather))),
    .init(
      "sparse rows that point outside", "CVE-2022-23560, CVE-2022-23561",
      model(
        "DENSIFY",
        [
          Tensor(
            "w", .float32, [2, 2], constant: Array(bytesOf: [1, 2] as [Float]),
            sparsity: .init(
              traversalOrder: [0, 1], blockMap: [],
              dimensions: [
                .init(format: .dense, denseSize: 2),
                .init(format: .sparseCSR, arraySegments: [0, 1, 2], arrayIndices: [0, 900]),
              ]))
        ], [output([2, 2])])),
    .init(
      "packed weights shorter than their shape", "LiteRT 2026",
      model(
        "FULLY_CONNECTED",
        [
          input([1, 4]),
          Tensor(
            "w", .int4, [64, 4], constant: [1, 2, 3],
            quantization: .init(scales: [1], zeroPoints: [0])),
        ], [output([1, 64])], options: .init(tag: BuiltinOptionsTag.fullyConnected))),
  ]

  private static let withoutOperand: ModelWriter = {
    var writer = model(
      "ADD", [input([1]), input([1])], [output()], options: .init(tag: BuiltinOptionsTag.add))
    writer.subgraphs[0].operators[0].inputs[1] = -1
    return writer
  }()

  private static let aliased: ModelWriter = {
    var writer = model(
      "ADD", [input([1]), input([1])], [output()], options: .init(tag: BuiltinOptionsTag.add))
    writer.subgraphs[0].operators[0].outputs = [0]
    return writer
  }()

  private static let cycle = ModelWriter(subgraphs: [
    .init(
      tensors: [input([1]), output(), output()], inputs: [0], outputs: [2],
      operators: [
        .init(
          code("ADD"), inputs: [0, 2], outputs: [1], options: .init(tag: BuiltinOptionsTag.add)),
        .init(
          code("ADD"), inputs: [0, 1], outputs: [2], options: .init(tag: BuiltinOptionsTag.add)),
      ])
  ])

  /// A WHILE over a number, whose condition is always true and whose body changes nothing.
  private static func loop(condition: Int, body: Int) -> ModelWriter {
    var writer = model(
      "WHILE", [input([1])], [output()],
      options: .init(
        tag: BuiltinOptionsTag.while,
        [0: .int32(Int32(condition)), 1: .int32(Int32(body))]))
    writer.subgraphs += [
      .init(
        name: "condition", tensors: [input([1]), Tensor("true", .bool, [1], constant: [1])],
        inputs: [0], outputs: [1], operators: []),
      .init(name: "body", tensors: [input([1])], inputs: [0], outputs: [0], operators: []),
    ]
    return writer
  }

  /// A read of the variable whose number is the input, which is 0 when no variable exists.
  private static let resource = model(
    "READ_VARIABLE", [input([1], .resource)], [output()],
    options: .init(tag: BuiltinOptionsTag.readVariable))
}
