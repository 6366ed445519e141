import Foundation
import OcellusModelFile
import OcellusTestSupport

// Writes the models for the neighbouring C programs: `c-api-models FOLDER`.

/// An operator that no runtime implements.
func custom(_ name: String) -> OperatorCodeRecord {
  OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: name)
}

/// A built-in operator by its name in the schema.
func builtin(_ name: String) -> OperatorCodeRecord {
  OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: name) ?? BuiltinOperator.custom)
}

func bytes<Element: BitwiseCopyable>(_ elements: [Element]) -> [UInt8] {
  elements.withUnsafeBytes(Array.init)
}

/// A custom operator of the program on two floats.
let unresolved = ModelWriter(subgraphs: [
  .init(
    tensors: [.init("input", .float32, [2], shapeSignature: [-1]), .init("output", .float32, [2])],
    inputs: [0], outputs: [1],
    operators: [
      .init(custom("Sinh"), inputs: [0], outputs: [1], customOptions: Array("options".utf8))
    ])
])

/// A custom operator between two additions, with an optional operand that is omitted.
let sandwich = ModelWriter(subgraphs: [
  .init(
    tensors: ["input", "twice", "worked", "output"].map {
      .init($0, .float32, [2], shapeSignature: [-1])
    }, inputs: [0], outputs: [3],
    operators: [
      .init(
        builtin("ADD"), inputs: [0, 0], outputs: [1], options: .init(tag: BuiltinOptionsTag.add)),
      .init(custom("Sinh"), inputs: [1, -1], outputs: [2]),
      .init(
        builtin("ADD"), inputs: [2, 0], outputs: [3], options: .init(tag: BuiltinOptionsTag.add)),
    ])
])

/// A sum with a variable that only the program changes, and metadata.
let variable = ModelWriter(
  subgraphs: [
    .init(
      tensors: [
        .init("input", .float32, [2]), .init("state", .float32, [2], isVariable: true),
        .init("output", .float32, [2]),
      ], inputs: [0], outputs: [2],
      operators: [
        .init(
          builtin("ADD"), inputs: [0, 1], outputs: [2],
          options: .init(tag: BuiltinOptionsTag.add))
      ])
  ], metadata: [.init(name: "note", bytes: Array("hello".utf8))])

/// A custom operator of the program on strings, followed by a GATHER.
let strings = ModelWriter(subgraphs: [
  .init(
    tensors: [
      .init("input", .string, [2], shapeSignature: [-1]), .init("worked", .string, [2]),
      .init("indices", .int32, [1], constant: bytes([Int32(1)])), .init("output", .string, [1]),
    ], inputs: [0], outputs: [3],
    operators: [
      .init(custom("Shout"), inputs: [0], outputs: [1]),
      .init(
        builtin("GATHER"), inputs: [1, 2], outputs: [3],
        options: .init(tag: BuiltinOptionsTag.gather)),
    ])
])

/// The indices of true elements: the output's shape depends on data.
let dynamic = ModelWriter(subgraphs: [
  .init(
    tensors: [.init("input", .bool, [4]), .init("output", .int64, [4, 1])], inputs: [0],
    outputs: [1], operators: [.init(builtin("WHERE"), inputs: [0], outputs: [1])])
])

/// A model without signatures, whose tensors have names only.
let unsigned = ModelWriter(subgraphs: [
  .init(
    tensors: ["x1", "x2", "Identity"].map { .init($0, .float32, [2]) }, inputs: [0, 1],
    outputs: [2],
    operators: [
      .init(
        builtin("ADD"), inputs: [0, 1], outputs: [2], options: .init(tag: BuiltinOptionsTag.add))
    ])
])

/// A built-in operator code that does not exist.
let unknownOperator = ModelWriter(subgraphs: [
  .init(
    tensors: [.init("input", .float32, [2]), .init("output", .float32, [2])], inputs: [0],
    outputs: [1],
    operators: [.init(OperatorCodeRecord(builtinCode: 250), inputs: [0], outputs: [1])])
])

/// An IF whose branches are subgraphs for magnitudes; a signature names one of them, too.
let branching: ModelWriter = {
  func signature(_ key: String, _ subgraph: Int, condition: Bool) -> SignatureRecord {
    let first = condition ? 1 : 0
    return .init(
      key: key, subgraphIndex: subgraph,
      inputs: (condition ? [.init(name: "condition", tensor: 0)] : [])
        + [.init(name: "x", tensor: first)], outputs: [.init(name: "y", tensor: first + 1)])
  }
  func values(_ name: String) -> ModelWriter.Tensor {
    .init(name, .float32, [1], shapeSignature: [-1])
  }
  let magnitude = ModelWriter.Subgraph(
    tensors: [values("x"), values("y")], inputs: [0], outputs: [1],
    operators: [.init(builtin("ABS"), inputs: [0], outputs: [1])])
  let main = ModelWriter.Subgraph(
    tensors: [.init("condition", .bool, [1]), values("x"), values("y")], inputs: [0, 1],
    outputs: [2],
    operators: [
      .init(
        builtin("IF"), inputs: [0, 1], outputs: [2],
        options: .init(
          tag: BuiltinOptionsTag.if, [0: .int32(1), 1: .int32(2)]))
    ])
  return ModelWriter(
    subgraphs: [main, magnitude, magnitude],
    signatures: [
      signature("main", 0, condition: true), signature("branch", 1, condition: false),
    ])
}()

/// A chain of values, whose memory a planner may reuse.
let chain = ModelWriter(subgraphs: [
  .init(
    tensors: (0...4).map { .init("t\($0)", .float32, [2]) }, inputs: [0], outputs: [4],
    operators: (0..<4).map {
      .init(
        builtin("ADD"), inputs: [$0, $0], outputs: [$0 + 1],
        options: .init(tag: BuiltinOptionsTag.add))
    })
])

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let models: [(String, Data)] = [
  ("add", OfficialTestModel.add), ("add_quantized", OfficialTestModel.addQuantized),
  ("multi_signatures", OfficialTestModel.multipleSignatures),
  ("unresolved", Data(unresolved.bytes())), ("sandwich", Data(sandwich.bytes())),
  ("variable", Data(variable.bytes())), ("strings", Data(strings.bytes())),
  ("dynamic", Data(dynamic.bytes())), ("no_signatures", Data(unsigned.bytes())),
  ("unknown_operator", Data(unknownOperator.bytes())), ("branching", Data(branching.bytes())),
  ("chain", Data(chain.bytes())),
]
for (name, data) in models { try data.write(to: folder.appending(path: "\(name).tflite")) }
