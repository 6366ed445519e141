import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusTestSupport
import Testing

/// A plan chooses and names one strategy of a family for each node, unless another is requested.
@Suite struct StrategyTests {
  /// A depthwise convolution of a random image, which has run once.
  private func interpreter(
    window: Int = 3, channels: Int, isQuantized: Bool, _ options: Interpreter.Options
  ) throws -> Interpreter {
    var random = SeededGenerator(seed: UInt64(channels))
    let input = random.bytes(12 * 13 * channels, isSigned: true)
    let weights = random.bytes(window * window * channels, isSigned: true)
    func tensor(_ shape: [Int], _ bytes: [UInt8], isConstant: Bool) -> (ModelWriter.Tensor, [UInt8])
    {
      let numbers =
        isQuantized ? bytes : [UInt8](bytesOf: bytes.map { Float(Int8(bitPattern: $0)) / 3 })
      let tensor = ModelWriter.Tensor(
        "x", isQuantized ? .int8 : .float32, shape, constant: isConstant ? numbers : nil,
        quantization: isQuantized ? QuantizationRecord(scales: [0.1], zeroPoints: [0]) : nil)
      return (tensor, numbers)
    }
    let (picture, pixels) = tensor([1, 12, 13, channels], input, isConstant: false)
    let (filter, _) = tensor([1, window, window, channels], weights, isConstant: true)
    let result = ModelWriter.Tensor(
      "y", picture.type, [1, 12, 13, channels],
      quantization: isQuantized ? QuantizationRecord(scales: [5], zeroPoints: [0]) : nil)
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: "DEPTHWISE_CONV_2D") ?? 0),
      reading: [picture, filter], writing: [result],
      options: .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [0: .int8(0), 1: .int32(1), 2: .int32(1), 5: .int32(1), 6: .int32(1)]))
    let interpreter = try Interpreter(Model(bytes: writer.bytes()), options: options)
    try interpreter.setInput(at: 0, bytes: pixels)
    try interpreter.run()
    return interpreter
  }

  private func bytes(_ interpreter: Interpreter) throws -> [UInt8] {
    try interpreter.main.withOutputBytes(at: 0) { Array($0) }
  }

  @Test(
    arguments: KernelTable.available.map(\.name),
    [(24, false), (64, false), (24, true), (72, true)])
  func allGiveTheSameBits(instructionSet: String, kind: (channels: Int, isQuantized: Bool)) throws {
    var options = Interpreter.Options(instructionSet: instructionSet)
    let planned = try interpreter(
      channels: kind.channels, isQuantized: kind.isQuantized, options)
    let choice = try #require(planned.plan.nodes[0].strategy)
    #expect(!choice.isForced)
    let accepting = choice.candidates.filter { $0.refusal == nil }
    #expect(accepting.contains { $0.name == choice.name })
    // The plan chooses the strategy with the least estimated time.
    #expect(accepting.allSatisfy { $0.nanoseconds ?? 0 > 0 })
    let least = accepting.compactMap(\.nanoseconds).min()
    #expect(accepting.first { $0.name == choice.name }?.nanoseconds == least)
    for candidate in accepting {
      options.strategies = [choice.family: candidate.name]
      let forced = try interpreter(
        channels: kind.channels, isQuantized: kind.isQuantized, options)
      let taken = try #require(forced.plan.nodes[0].strategy)
      #expect(taken.name == candidate.name && taken.isForced)
      let kernel = forced.plan.nodes[0].execution.description
      #expect(kernel.hasSuffix("\(instructionSet) · \(candidate.name)"))
      #expect(try bytes(forced) == bytes(planned), "\(candidate.name)")
    }
  }

  /// A requested strategy that does not accept a node is not used, and the plan says why.
  @Test func whatDoesNotAcceptANodeIsNotTaken() throws {
    var options = Interpreter.Options()
    options.strategies = ["depthwise-float32": "runs"]
    let planned = try interpreter(channels: 64, isQuantized: false, options)
    let choice = try #require(planned.plan.nodes[0].strategy)
    #expect(choice.name != "runs" && !choice.isForced)
    let refused = try #require(choice.candidates.first { $0.name == "runs" })
    #expect(refused.refusal == "channels fill vectors")
    #expect(refused.nanoseconds == nil)
  }

  @Test func unknownNamesAreErrors() throws {
    for (strategies, problem) in [
      (["depthwise-int9": "runs"], "there is no family of kernels 'depthwise-int9'"),
      (["depthwise-float32": "walks"], "depthwise-float32 has no strategy 'walks'"),
    ] {
      var options = Interpreter.Options()
      options.strategies = strategies
      let error = #expect(throws: ModelError.self) {
        try interpreter(channels: 8, isQuantized: false, options)
      }
      #expect(error?.message.contains(problem) == true)
      options.usesReferenceKernels = true
      _ = try interpreter(channels: 8, isQuantized: false, options)
    }
  }
}
