import OcellusEngine
import OcellusModelFile
import OcellusProfile
import OcellusTestSupport
import Testing

/// Multiply-adds and bytes of single operators, compared with numbers worked out by hand.
@Suite struct TrafficTests {
  private func step(
    _ name: String, reading: [(shape: [Int], isConstant: Bool)], writing shape: [Int],
    options: ModelWriter.Options, version: Int = 1
  ) throws -> ProfiledStep {
    let tensors = reading.map { shape, isConstant in
      ModelWriter.Tensor(
        "x", .float32, shape,
        constant: isConstant
          ? [UInt8](bytesOf: [Float](repeating: 1, count: shape.reduce(1, *))) : nil)
    }
    return try step(name, reading: tensors, writing: shape, options: options, version: version)
  }

  private func step(
    _ name: String, reading: [ModelWriter.Tensor], writing shape: [Int],
    options: ModelWriter.Options, version: Int = 1
  ) throws -> ProfiledStep {
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(
        builtinCode: try #require(BuiltinOperator.code(named: name)), version: version),
      reading: reading, writing: [.init("y", .float32, shape)], options: options)
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.fillInputs()
    let profiler = Profiler()
    try profiler.record(interpreter)
    #expect(profiler.steps.count == 1)
    return try #require(profiler.steps.first)
  }

  /// Options with SAME padding and strides of one in the given fields.
  private func strides(_ tag: Int) -> ModelWriter.Options {
    .init(tag: tag, [1: .int32(1), 2: .int32(1)])
  }

  @Test func convolution() throws {
    let step = try step(
      "CONV_2D",
      reading: [([1, 10, 12, 3], false), ([8, 3, 3, 3], true), ([8], true)],
      writing: [1, 10, 12, 8], options: strides(BuiltinOptionsTag.conv2D))
    #expect(step.multiplyAdds == 10 * 12 * 8 * 3 * 3 * 3)
    #expect(step.readByteCount == 4 * (10 * 12 * 3 + 8 * 3 * 3 * 3 + 8))
    #expect(step.writtenByteCount == 4 * 10 * 12 * 8)
    #expect(step.arithmetic == .float)
    let intensity = try #require(step.intensity)
    #expect(intensity == Double(step.multiplyAdds) / Double(step.byteCount))
  }

  @Test func depthwiseConvolution() throws {
    let step = try step(
      "DEPTHWISE_CONV_2D",
      reading: [([1, 9, 7, 16], false), ([1, 3, 3, 16], true), ([16], true)],
      writing: [1, 9, 7, 16],
      options: .init(
        tag: BuiltinOptionsTag.depthwiseConv2D, [1: .int32(1), 2: .int32(1), 3: .int32(1)]))
    #expect(step.multiplyAdds == 9 * 7 * 16 * 3 * 3)
    #expect(step.readByteCount == 4 * (9 * 7 * 16 + 3 * 3 * 16 + 16))
    #expect(step.writtenByteCount == 4 * 9 * 7 * 16)
  }

  @Test func fullyConnected() throws {
    let step = try step(
      "FULLY_CONNECTED", reading: [([5, 40], false), ([30, 40], true), ([30], true)],
      writing: [5, 30], options: .init(tag: BuiltinOptionsTag.fullyConnected))
    #expect(step.multiplyAdds == 5 * 30 * 40)
    #expect(step.readByteCount == 4 * (5 * 40 + 30 * 40 + 30))
    #expect(step.writtenByteCount == 4 * 5 * 30)
  }

  /// Every element of the input meets the whole window once for each output channel.
  @Test func transposedConvolution() throws {
    let shape = ModelWriter.Tensor(
      "shape", .int32, [4], constant: [UInt8](bytesOf: [1, 8, 10, 6] as [Int32]))
    let filter = ModelWriter.Tensor(
      "filter", .float32, [6, 2, 2, 3],
      constant: [UInt8](bytesOf: [Float](repeating: 1, count: 6 * 2 * 2 * 3)))
    let step = try step(
      "TRANSPOSE_CONV", reading: [shape, filter, .init("x", .float32, [1, 4, 5, 3])],
      writing: [1, 8, 10, 6],
      options: .init(tag: BuiltinOptionsTag.transposeConv, [1: .int32(2), 2: .int32(2)]))
    #expect(step.multiplyAdds == 4 * 5 * 3 * 2 * 2 * 6)
    #expect(step.readByteCount == 4 * (4 + 6 * 2 * 2 * 3 + 4 * 5 * 3))
    #expect(step.writtenByteCount == 4 * 8 * 10 * 6)
  }

  /// A node that returns a view of its input copies no bytes.
  @Test func views() throws {
    let shape = ModelWriter.Tensor(
      "shape", .int32, [2], constant: [UInt8](bytesOf: [4, 6] as [Int32]))
    let step = try step(
      "RESHAPE", reading: [.init("x", .float32, [2, 12]), shape], writing: [4, 6],
      options: .init(tag: BuiltinOptionsTag.reshape))
    #expect(step.byteCount == 0 || step.kernel != "view")
  }
}
