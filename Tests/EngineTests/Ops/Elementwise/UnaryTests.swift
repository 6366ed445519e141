import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct UnaryTests {
  @Test func rectifiersKeepNaN() throws {
    let values = TestTensor([3], [Float.nan, -1, 9])
    for name in ["RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1"] {
      let (_, results) = try run(name, [values], as: Float.self)
      #expect(results[0].isNaN, "\(name)")
    }
    #expect(try run("RELU_N1_TO_1", [values], as: Float.self).values[1...] == [-1, 1])
  }

  @Test func roundingGoesToEven() throws {
    let (_, results) = try run(
      "ROUND", [.init([4], [0.5, 1.5, -2.5, 2.6] as [Float])], as: Float.self)
    #expect(results == [0, 2, -2, 3])
  }

  @Test func theLowestIntegerHasNoMagnitude() throws {
    #expect(try run("ABS", [.init([1], [Int32.min])], as: Int32.self).values == [.min])
    #expect(try run("NEG", [.init([1], [Int64.min])], as: Int64.self).values == [.min])
  }

  /// 3·0.5 = 1.5 is 6 in steps of 0.25; negative numbers become the zero point.
  @Test func quantizedRectifiersRescale() throws {
    let (_, results) = try run(
      "RELU", [.init([2], [3, -3] as [Int8], scale: 0.5)], version: 2, scale: 0.25,
      zeroPoint: -10, as: Int8.self)
    #expect(results == [-4, -10])
  }

  @Test func quantizedRootsOfNegativeNumbersAreRefused() throws {
    let operand = TestTensor([2], [5, 4] as [Int8], scale: 1, zeroPoint: 5)
    let error = #expect(throws: ModelError.self) {
      try run("SQRT", [operand], scale: 1, as: Int8.self)
    }
    #expect(error?.kind == .invalidData)
  }

  /// The sigmoids of 0, 1 and -1 are 0.5, 0.731059 and 0.268941; the official table differs by less
  /// than one step of 1/32768.
  @Test func sigmoidsOfShortIntegers() throws {
    let operand = TestTensor([3], [0, 4096, -4096] as [Int16], scale: 1 / 4096)
    let (_, results) = try run("LOGISTIC", [operand], scale: 1 / 32768, as: Int16.self)
    for (result, sigmoid) in zip(results, [0.5, 0.731059, 0.268941]) {
      #expect(abs(Double(result) - sigmoid * 32768) < 1)
    }
  }

  @Test func logisticWantsItsOutputScale() {
    let operand = TestTensor([1], [0] as [Int8], scale: 0.1)
    #expect(throws: ModelError.self) {
      try run("LOGISTIC", [operand], version: 2, scale: 1 / 128, as: Int8.self)
    }
  }

  @Test func operandsThatAreLeftOutAreRefused() throws {
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "RFFT2D"),
      reading: [.init("x", .float32, [2, 2]), .init("n", .int32, [2])],
      writing: [.init("y", .complex64, [2, 2])])
    writer.subgraphs[0].operators[0].inputs[0] = -1
    let bytes = writer.bytes()
    #expect(throws: ModelError.self) { try Model(bytes: bytes) }
  }
}
