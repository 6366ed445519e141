import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusTestSupport

/// A model of sixty consecutive nodes, each with weights and an activation that tests can change.
struct SyntheticChain {
  static let nodeCount = 60
  private static let width = 12

  private(set) var writer: ModelWriter

  init() {
    var generator = SeededGenerator(seed: 60)
    var tensors: [ModelWriter.Tensor] = [.init("x", .float32, [1, Self.width])]
    var operators: [ModelWriter.Operator] = []
    for node in 0..<Self.nodeCount {
      let input = tensors.count - 1
      let kind = ["FULLY_CONNECTED", "ADD", "MUL"][node % 3]
      let tags = [BuiltinOptionsTag.fullyConnected, BuiltinOptionsTag.add, BuiltinOptionsTag.mul]
      let shape = node % 3 == 0 ? [Self.width, Self.width] : [1, Self.width]
      let scale: Float = node % 3 == 0 ? 0.5 : 1
      let weights = generator.floats(shape.reduce(1, *)).map {
        $0 * scale + (node % 3 == 2 ? 1 : 0)
      }
      // The result's index follows the weights' index, and it is the next node's input.
      tensors.append(.init("weights \(node)", .float32, shape, constant: .init(bytesOf: weights)))
      tensors.append(.init("result \(node)", .float32, [1, Self.width]))
      operators.append(
        .init(
          OperatorCodeRecord(named: kind), inputs: [input, tensors.count - 2],
          outputs: [tensors.count - 1], options: .init(tag: tags[node % 3])))
    }
    writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [tensors.count - 1], operators: operators)
    ])
  }

  /// Returns the chain with one bit of one weight of a node inverted.
  func changingWeight(of node: Int) -> SyntheticChain {
    var changed = self
    changed.writer.subgraphs[0].tensors[1 + 2 * node].constant?[2] ^= 0x40
    return changed
  }

  /// Returns the chain with a ReLU after a node that had no activation.
  func changingOption(of node: Int) -> SyntheticChain {
    var changed = self
    changed.writer.subgraphs[0].operators[node].options?.fields[0] = .int8(1)
    return changed
  }

  /// Returns the chain with its result rounded to bytes, which makes all its floats exact.
  func quantizingResult() -> SyntheticChain {
    var changed = self
    let scale = QuantizationRecord(scales: [0.05], zeroPoints: [0])
    changed.writer.subgraphs[0].tensors.append(
      .init("bytes", .int8, [1, Self.width], quantization: scale))
    let result = changed.writer.subgraphs[0].tensors.count - 1
    changed.writer.subgraphs[0].operators.append(
      .init(
        OperatorCodeRecord(named: "QUANTIZE"), inputs: [result - 1], outputs: [result],
        options: .init(tag: BuiltinOptionsTag.quantize)))
    changed.writer.subgraphs[0].outputs = [result]
    return changed
  }

  func model() throws -> Model { try Model(bytes: writer.bytes()) }

  /// Returns an interpreter with its input set.
  func interpreter(_ options: Interpreter.Options = .init(runsNodesSeparately: true)) throws
    -> Interpreter
  {
    let interpreter = try Interpreter(model(), options: options)
    var generator = SeededGenerator(seed: 7)
    try interpreter.setInput(at: 0, to: generator.floats(Self.width))
    return interpreter
  }

  func receipt() throws -> Receipt { try ReceiptRecorder().receipt(of: interpreter()) }
}
