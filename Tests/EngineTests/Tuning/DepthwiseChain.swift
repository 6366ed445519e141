import OcellusEngine
import OcellusModelFile
import OcellusTestSupport

/// A model of depthwise convolutions, one after the other, for whose nodes several strategies
/// compete.
struct DepthwiseChain {
  /// The height and width of each node's window.
  var windows = [3]
  var channels = 24
  var width = 13
  var isQuantized = false

  private var type: TensorType { isQuantized ? .int8 : .float32 }
  private var shape: [Int] { [1, 12, width, channels] }

  /// The bytes of random numbers, different for each seed.
  private func numbers(_ shape: [Int], seed: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(seed))
    let bytes = random.bytes(shape.reduce(1, *), isSigned: true)
    return isQuantized ? bytes : [UInt8](bytesOf: bytes.map { Float(Int8(bitPattern: $0)) / 300 })
  }

  private func tensor(_ shape: [Int], constant: [UInt8]? = nil) -> ModelWriter.Tensor {
    ModelWriter.Tensor(
      "x", type, shape, constant: constant,
      quantization: isQuantized ? QuantizationRecord(scales: [0.1], zeroPoints: [0]) : nil)
  }

  func model() throws -> Model {
    var tensors = [tensor(shape)]
    var operators: [ModelWriter.Operator] = []
    for (index, window) in windows.enumerated() {
      // The operands of a node are the result before it and its filter.
      let filterShape = [1, window, window, channels]
      tensors.append(tensor(filterShape, constant: numbers(filterShape, seed: index + 1)))
      tensors.append(tensor(shape))
      operators.append(
        .init(
          OperatorCodeRecord(named: "DEPTHWISE_CONV_2D"), inputs: [2 * index, 2 * index + 1],
          outputs: [2 * index + 2],
          options: .init(
            tag: BuiltinOptionsTag.depthwiseConv2D,
            [0: .int8(0), 1: .int32(1), 2: .int32(1), 5: .int32(1), 6: .int32(1)])))
    }
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [tensors.count - 1], operators: operators)
    ])
    return try Model(bytes: writer.bytes())
  }

  /// Returns an interpreter that has run on random numbers.
  func run(_ options: Interpreter.Options, of model: Model? = nil) throws -> Interpreter {
    let interpreter = try Interpreter(model ?? self.model(), options: options)
    try interpreter.setInput(at: 0, bytes: numbers(shape, seed: 0))
    try interpreter.run()
    return interpreter
  }
}

extension Interpreter {
  /// The bytes of the first output.
  var result: [UInt8] {
    get throws { try main.withOutputBytes(at: 0) { Array($0) } }
  }

  /// The choices for all nodes.
  var choices: [StrategyChoice] { plan.nodes.compactMap(\.strategy) }
}

extension StrategyChoice {
  /// A strategy that accepts the node and is not the expected one.
  var other: String? { candidates.first { $0.refusal == nil && $0.name != name }?.name }
}

extension Interpreter.Options {
  /// Returns options with which the strategies are timed by a clock.
  static func tuned(
    by clock: ScriptedClock, within time: Duration = .seconds(100), rememberedIn path: String? = nil
  ) -> Interpreter.Options {
    var options = Interpreter.Options()
    options.tuning = .measured(within: time, rememberedIn: path)
    options.tuningClock = clock.clock
    return options
  }
}
