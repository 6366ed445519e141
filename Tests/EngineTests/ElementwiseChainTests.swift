import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Elementwise steps that run piece by piece give what they give one by one.
@Suite struct ElementwiseChainTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  /// Seven channels, so that pieces of rows and vectors do not end together.
  private static let shape = [1, 50, 67, 7]
  private static let slopes: [Float] = [0.5, -1, 2, 0.25, 3, 0, 1]
  private static let image: [Float] = (0..<23_450).map { (index: Int) -> Float in
    Float(index * 7919 % 2001 - 1000) / 8
  }

  private static func operation(_ name: String, _ inputs: [Int], _ output: Int) -> Operator {
    Operator(OperatorCodeRecord(named: name), inputs: inputs, outputs: [output])
  }

  /// relu(x) + slope · -relu(-x), as converters spell PRELU: tensor 7, or bytes in 8.
  private func spelledRectifier(outputs: [Int], threads: Int) throws -> Interpreter {
    let names = ["x", "slopes", "positive", "-x", "negative", "-negative", "scaled", "sum"]
    var tensors = names.map { Tensor($0, .float32, Self.shape) }
    tensors[1] = Tensor(
      "slopes", .float32, [7], constant: [UInt8](bytesOf: Self.slopes))
    tensors.append(
      Tensor(
        "bytes", .int8, Self.shape, quantization: QuantizationRecord(scales: [4], zeroPoints: [3])))
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: outputs,
        operators: [
          Self.operation("RELU", [0], 2), Self.operation("NEG", [0], 3),
          Self.operation("RELU", [3], 4), Self.operation("NEG", [4], 5),
          Self.operation("MUL", [1, 5], 6), Self.operation("ADD", [2, 6], 7),
          Self.operation("QUANTIZE", [7], 8),
        ])
    ])
    var options = Interpreter.Options()
    options.threads = threads
    let interpreter = try Interpreter(Model(bytes: writer.bytes()), options: options)
    try interpreter.setInput(at: 0, to: Self.image)
    try interpreter.run()
    return interpreter
  }

  private static let sums: [Float] = image.indices.map { (index: Int) -> Float in
    image[index] > 0 ? image[index] : slopes[index % 7] * image[index]
  }

  private func kernels(_ interpreter: Interpreter) -> [String?] {
    interpreter.main.planSummary.nodes.map(\.kernelName)
  }

  @Test(arguments: [1, 2])
  func aChainMakesWhatItsStepsMake(threads: Int) throws {
    let interpreter = try spelledRectifier(outputs: [8], threads: threads)
    let bytes = Self.sums.map { Int8(clamping: Int(($0 / 4).rounded()) + 3) }
    #expect(try interpreter.output(at: 0, as: Int8.self) == bytes)
    #expect(kernels(interpreter).dropLast().allSatisfy { $0?.contains("fused") == true })
    #expect(kernels(interpreter).last??.contains("chain of 7") == true)
    // Once more, where the first run has left its pieces.
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Int8.self) == bytes)
  }

  /// What is made in the middle ends a chain.
  @Test(arguments: [1, 2])
  func resultsInTheMiddleAreMade(threads: Int) throws {
    let interpreter = try spelledRectifier(outputs: [7, 4, 2], threads: threads)
    #expect(try interpreter.output(at: 0, as: Float.self) == Self.sums)
    #expect(try interpreter.output(at: 1, as: Float.self) == Self.image.map { max(-$0, 0) })
    #expect(try interpreter.output(at: 2, as: Float.self) == Self.image.map { max($0, 0) })
    #expect(kernels(interpreter).contains { $0?.contains("chain") == true })
  }

  @Test func smallTensorsAreNoChain() throws {
    let tensors = ["x", "-x", "y"].map { Tensor($0, .float32, [64]) }
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [2],
        operators: [Self.operation("NEG", [0], 1), Self.operation("ABS", [1], 2)])
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: Array(Self.image.prefix(64)))
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == Self.image.prefix(64).map(abs))
    #expect(!kernels(interpreter).contains { $0?.contains("chain") == true })
  }
}
