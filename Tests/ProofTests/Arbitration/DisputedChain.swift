import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusTestSupport

/// A model of fifty-five nodes in a row, each of which a liar may have computed wrongly.
struct DisputedChain {
  static let nodeCount = 55
  private static let width = 12

  let bytes: [UInt8]

  init() {
    var generator = SeededGenerator(seed: 60)
    var tensors: [ModelWriter.Tensor] = [.init("x", .float32, [1, Self.width])]
    var operators: [ModelWriter.Operator] = []
    for node in 0..<Self.nodeCount {
      let input = tensors.count - 1
      let isAddition = !node.isMultiple(of: 3)
      let shape = isAddition ? [1, Self.width] : [Self.width, Self.width]
      let weights = generator.floats(shape.reduce(1, *)).map { $0 * (isAddition ? 1 : 0.4) }
      tensors.append(.init("weights \(node)", .float32, shape, constant: .init(bytesOf: weights)))
      tensors.append(.init("result \(node)", .float32, [1, Self.width]))
      operators.append(
        .init(
          OperatorCodeRecord(named: isAddition ? "ADD" : "FULLY_CONNECTED"),
          inputs: [input, tensors.count - 2], outputs: [tensors.count - 1],
          options: .init(
            tag: isAddition ? BuiltinOptionsTag.add : BuiltinOptionsTag.fullyConnected)))
    }
    bytes =
      ModelWriter(subgraphs: [
        .init(
          tensors: tensors, inputs: [0], outputs: [tensors.count - 1], operators: operators)
      ]).bytes()
  }

  /// Returns an interpreter with its input set.
  func interpreter(_ numerics: Interpreter.Numerics = .exact) throws -> Interpreter {
    let interpreter = try Interpreter(
      Model(bytes: bytes), options: .init(numerics: numerics, runsNodesSeparately: true))
    var generator = SeededGenerator(seed: 7)
    try interpreter.setInput(at: 0, to: generator.floats(Self.width))
    return interpreter
  }

  /// Returns an honest receipt, whose tensors may be kept.
  func receipt(
    keep: ReceiptRecorder.Keep? = nil, _ numerics: Interpreter.Numerics = .exact
  ) throws -> Receipt {
    var receipt = try ReceiptRecorder(keep: keep).receipt(of: interpreter(numerics))
    receipt.setting.version = "1"
    return receipt
  }
}

extension Receipt {
  /// Returns the receipt of somebody who lies about a node, and about all that follows from it.
  func lying(from node: Int) -> Receipt {
    var forged = self
    for index in node..<nodes.count {
      forged.nodes[index].outputs[0].hash = String(nodes[index].outputs[0].hash.reversed())
    }
    forged.outputs[0].hash = forged.nodes[nodes.count - 1].outputs[0].hash
    return forged
  }
}
