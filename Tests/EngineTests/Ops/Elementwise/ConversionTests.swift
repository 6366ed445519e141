import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// QUANTIZE, DEQUANTIZE and CAST.
@Suite struct ConversionTests {
  @Test func quantizationRoundsTiesAwayFromZeroAndSaturates() throws {
    let (_, results) = try run(
      "QUANTIZE", [.init([6], [0.25, -0.25, 0.24, 1000, -1000, .infinity] as [Float])],
      scale: 0.5, as: Int8.self)
    #expect(results == [1, -1, 0, 127, -128, 127])
  }

  /// Doubling the scale halves the integers, and zero points map between the 8-bit types.
  @Test func requantizationBetweenSigns() throws {
    let (_, results) = try run(
      "QUANTIZE", [.init([3], [-128, 0, 127] as [Int8], scale: 1)], scale: 2, zeroPoint: 128,
      as: UInt8.self)
    #expect(results == [64, 128, 192])
  }

  @Test func scalesPerChannel() throws {
    let tensor = ModelWriter.Tensor(
      "x", .int8, [2, 2], constant: [2, 2, 2, 2],
      quantization: .init(scales: [0.5, 4], zeroPoints: [0, 1], axis: 1))
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "DEQUANTIZE", version: 5), reading: [tensor],
      writing: [.init("y", .float32, [2, 2])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [1, 4, 1, 4])
  }

  @Test func floatsSaturateAndNaNIsTheHighestInteger() throws {
    let reals = TestTensor([4], [1e10, -1e10, .nan, -1.9] as [Float])
    #expect(try run("CAST", [reals], as: Int32.self).values == [.max, .min, .max, -1])
    #expect(try run("CAST", [reals], as: UInt8.self).values == [255, 0, 255, 0])
  }

  @Test func integersWrap() throws {
    let integers = TestTensor([3], [300, -1, 1 << 32] as [Int64])
    #expect(try run("CAST", [integers], as: UInt8.self).values == [44, 255, 0])
    #expect(try run("CAST", [integers], as: Float.self).values == [300, -1, 4_294_967_296])
  }

  /// The tensors have more elements than one chunk of the conversion.
  @Test func longTensors() throws {
    let integers = (0..<5000).map { Int32($0) }
    let (_, results) = try run("CAST", [.init([5000], integers)], as: Float16.self)
    #expect(results == integers.map { Float16($0) })
    let large = (0..<5000).map { Int64($0) * 1_234_567_890_123 - (1 << 51) }
    #expect(
      try run("CAST", [.init([5000], large)], as: Float.self).values == large.map { Float($0) })
    #expect(
      try run("CAST", [.init([5000], integers.map { -$0 })], as: Int64.self).values
        == integers.map { -Int64($0) })
  }

  @Test func packedTypesAreCastToSingleFloatsOnly() throws {
    let packed = ModelWriter.Tensor("x", .int4, [3], constant: [0x8F, 0x07])
    func model(_ type: TensorType) -> [UInt8] {
      ModelWriter.singleOperator(
        OperatorCodeRecord(named: "CAST"), reading: [packed], writing: [.init("y", type, [3])]
      ).bytes()
    }
    let interpreter = try Interpreter(Model(bytes: model(.float32)))
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [-1, -8, 7])
    #expect(throws: ModelError.self) { try Model(bytes: model(.int32)) }
  }
}
