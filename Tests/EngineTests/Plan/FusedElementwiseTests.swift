import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Elementwise steps that run fused, slice by slice, have the results of separate steps.
@Suite struct FusedElementwiseTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  /// Seven channels, so that slices of rows and vectors do not end together.
  private static let shape = [1, 50, 67, 7]
  private static let slopes: [Float] = [0.5, -1, 2, 0.25, 3, 0, 1]
  private static let image: [Float] = (0..<23_450).map { (index: Int) -> Float in
    Float(index * 7919 % 2001 - 1000) / 8
  }

  private static func operation(_ name: String, _ inputs: [Int], _ output: Int) -> Operator {
    Operator(OperatorCodeRecord(named: name), inputs: inputs, outputs: [output])
  }

  /// relu(x) + slope · -relu(-x), as converters write PRELU, in tensor 7, and quantized in tensor
  /// 8.
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

  private func executions(_ interpreter: Interpreter) -> [PlanDescription.Execution] {
    interpreter.plan.nodes.map(\.execution)
  }

  @Test(arguments: [1, 2])
  func aChainMakesWhatItsStepsMake(threads: Int) throws {
    let interpreter = try spelledRectifier(outputs: [8], threads: threads)
    let bytes = Self.sums.map { Int8(clamping: Int(($0 / 4).rounded()) + 3) }
    #expect(try interpreter.output(at: 0, as: Int8.self) == bytes)
    #expect(executions(interpreter).first?.description.contains("fused group of 7") == true)
    #expect(executions(interpreter).dropFirst().allSatisfy { $0 == .fusedGroup(to: 0) })
    // A second run finds the slices of the first one in memory.
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Int8.self) == bytes)
  }

  /// The same function with a condition: `x > 0 ? x : slope · x`.
  @Test(arguments: [1, 2])
  func conditionsAndChoicesAreParts(threads: Int) throws {
    var tensors = ["x", "slopes", "zero", "isPositive", "scaled", "y"].map {
      Tensor($0, .float32, Self.shape)
    }
    tensors[1] = Tensor("slopes", .float32, [7], constant: [UInt8](bytesOf: Self.slopes))
    tensors[2] = Tensor("zero", .float32, [], constant: [UInt8](bytesOf: [0] as [Float]))
    tensors[3].type = .bool
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [5],
        operators: [
          Self.operation("GREATER", [0, 2], 3), Self.operation("MUL", [0, 1], 4),
          Self.operation("SELECT", [3, 0, 4], 5),
        ])
    ])
    var options = Interpreter.Options()
    options.threads = threads
    let interpreter = try Interpreter(Model(bytes: writer.bytes()), options: options)
    try interpreter.setInput(at: 0, to: Self.image)
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == Self.sums)
    #expect(executions(interpreter).first?.description.contains("fused group of 3") == true)
  }

  /// An intermediate tensor that is an output of the model ends a fused group.
  @Test(arguments: [1, 2])
  func resultsInTheMiddleAreMade(threads: Int) throws {
    let interpreter = try spelledRectifier(outputs: [7, 4, 2], threads: threads)
    #expect(try interpreter.output(at: 0, as: Float.self) == Self.sums)
    #expect(try interpreter.output(at: 1, as: Float.self) == Self.image.map { max(-$0, 0) })
    #expect(try interpreter.output(at: 2, as: Float.self) == Self.image.map { max($0, 0) })
    #expect(executions(interpreter).contains { $0.description.contains("fused group") })
  }

  /// A convolution can begin a fused group, also a hybrid one, whose inputs here are exact in 8
  /// bits.
  ///
  /// The filters double each channel and add a constant one to a zero-padded image; the leaky ReLU
  /// quarters negative numbers.
  @Test(arguments: [1, 2], [false, true])
  func aConvolutionBeginsAChain(threads: Int, isHybrid: Bool) throws {
    let weights: [Int8] = [2, 0, 0, 2, 0, 0]
    var filter = Tensor("weights", .float32, [3, 1, 1, 2])
    filter.constant = [UInt8](bytesOf: weights.map(Float.init))
    if isHybrid {
      filter.type = .int8
      filter.constant = [UInt8](bytesOf: weights)
      filter.quantization = QuantizationRecord(scales: [1], zeroPoints: [0])
    }
    let tensors = [
      Tensor("x", .float32, [1, 149, 199, 2]),
      Tensor(
        "paddings", .int32, [4, 2], constant: [UInt8](bytesOf: [0, 0, 1, 0, 1, 0, 0, 0] as [Int32])),
      Tensor("padded", .float32, [1, 150, 200, 2]),
      filter,
      Tensor("bias", .float32, [3], constant: [UInt8](bytesOf: [0, 0, 1] as [Float])),
      Tensor("sums", .float32, [1, 150, 200, 3]), Tensor("y", .float32, [1, 150, 200, 3]),
    ]
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [6],
        operators: [
          Self.operation("PAD", [0, 1], 2),
          Operator(
            OperatorCodeRecord(named: "CONV_2D"), inputs: [2, 3, 4], outputs: [5],
            options: .init(
              tag: BuiltinOptionsTag.conv2D, [0: .int8(1), 1: .int32(1), 2: .int32(1)])),
          Operator(
            OperatorCodeRecord(named: "LEAKY_RELU"), inputs: [5], outputs: [6],
            options: .init(tag: BuiltinOptionsTag.leakyRelu, [0: .float(0.25)])),
        ])
    ])
    let image: [Float] = (0..<149 * 199 * 2).map { (index: Int) -> Float in
      Float(index * 7919 % 255 - 127)
    }
    var options = Interpreter.Options()
    options.threads = threads
    let interpreter = try Interpreter(Model(bytes: writer.bytes()), options: options)
    try interpreter.setInput(at: 0, to: image)
    try interpreter.run()
    var expected: [Float] = []
    for row in 0..<150 {
      for column in 0..<200 {
        for channel in 0..<2 {
          let pixel = (row - 1) * 199 + column - 1
          let x = row == 0 || column == 0 ? 0 : image[2 * pixel + channel]
          expected.append(x > 0 ? 2 * x : x / 2)
        }
        expected.append(1)
      }
    }
    #expect(try interpreter.output(at: 0, as: Float.self) == expected)
    #expect(executions(interpreter).contains { $0.description.contains("fused group of 2") })
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
    #expect(!executions(interpreter).contains { $0.description.contains("fused group") })
  }
}
