import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Floats times 8-bit weights with a scale for each channel, checked against the bits that the
/// official reference kernels (LiteRT 2.3.0) gave for the same numbers.
@Suite struct HybridBitsTests {
  private static let scales: [Float] = [0.013, 0.0071, 0.0003]

  private func numbers(_ count: Int) -> [Float] {
    (0..<count).map { Float($0 * 37 % 41 - 20) / 7 }
  }

  private func weights(_ shape: [Int], axis: Int) -> ModelWriter.Tensor {
    let count = shape.reduce(1, *)
    let values = (0..<count).map { Int8($0 * 29 % 255 - 127) }
    return .init(
      "weights", .int8, shape, constant: [UInt8](bytesOf: values),
      quantization: QuantizationRecord(scales: Self.scales, zeroPoints: [0, 0, 0], axis: axis))
  }

  private let bias = ModelWriter.Tensor(
    "bias", .float32, [3], constant: [UInt8](bytesOf: [0.1, -0.7, 0.3] as [Float]))

  /// The results of the reference kernels, the tuned kernels, two threads, and exact numerics.
  private func results(
    _ name: String, version: Int, _ operands: [ModelWriter.Tensor], _ options: ModelWriter.Options,
    inputCount: Int
  ) throws -> [[Float]] {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: name) ?? BuiltinOperator.custom, version: version)
    let model = try Model(
      bytes: ModelWriter.singleOperator(
        code, reading: operands, writing: [.init("y", .float32, [])], options: options
      ).bytes())
    let ways: [Interpreter.Options] = [
      .init(usesReferenceKernels: true), .init(), .init(threads: 2), .init(numerics: .exact),
    ]
    return try ways.map { way in
      let interpreter = try Interpreter(model, options: way)
      try interpreter.setInput(at: 0, to: numbers(inputCount))
      try interpreter.run()
      return try interpreter.output(at: 0)
    }
  }

  @Test func convolution() throws {
    let all = try results(
      "CONV_2D", version: 2,
      [.init("x", .float32, [1, 2, 2, 3]), weights([3, 1, 1, 3], axis: 0), bias],
      .init(tag: BuiltinOptionsTag.conv2D, [0: .int8(1), 1: .int32(1), 2: .int32(1)]),
      inputCount: 12)
    for results in all {
      #expect(
        results == [
          0.056550138, 0.15731412, 0.37345177, -3.0646443, -1.1002412, 0.33920708, 3.4907496,
          -0.7022672, 0.22156034, 4.783729, 0.45099562, 0.28918117,
        ])
    }
  }

  @Test func depthwiseConvolution() throws {
    let all = try results(
      "DEPTHWISE_CONV_2D", version: 6,
      [.init("x", .float32, [1, 2, 2, 3]), weights([1, 2, 2, 3], axis: 3), bias],
      .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [0: .int8(0), 1: .int32(1), 2: .int32(1), 3: .int32(1)]),
      inputCount: 12)
    for results in all {
      #expect(
        results == [
          7.2675667, -1.2190437, 0.16415799, -3.322576, -2.6625116, 0.3780565, 1.9210197,
          0.20734423, 0.34651968, 3.6498814, 1.1811938, 0.24667867,
        ])
    }
  }

  /// TRANSPOSE_CONV scales every product separately.
  @Test func transposedConvolution() throws {
    let shape = ModelWriter.Tensor(
      "shape", .int32, [4], constant: [UInt8](bytesOf: [1, 2, 2, 3] as [Int32]))
    let all = try results(
      "TRANSPOSE_CONV", version: 3,
      [shape, weights([3, 2, 2, 2], axis: 0), .init("x", .float32, [1, 2, 2, 2]), bias],
      .init(tag: BuiltinOptionsTag.transposeConv, [0: .int8(0), 1: .int32(1), 2: .int32(1)]),
      inputCount: 8)
    for results in all {
      #expect(
        results == [
          1.7329746, -4.916003, 0.3103911, -3.3125398, 0.37037367, 0.42480505, -0.27186555,
          0.30517703, 0.35071176, 2.0609171, -0.76578534, 0.20637447,
        ])
    }
  }
}
