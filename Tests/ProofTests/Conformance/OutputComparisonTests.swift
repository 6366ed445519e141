import OcellusProof
import Testing

@Suite struct OutputComparisonTests {
  private func bytes<Number>(_ numbers: [Number]) -> [UInt8] {
    numbers.withUnsafeBytes { Array($0) }
  }

  private func problem<Number>(
    _ got: [Number], _ wanted: [Number], type: String, _ tolerance: Tolerance, elements: Int? = nil,
    defined: Int? = nil
  ) -> String? {
    let values = bytes(wanted)
    let shape = [elements ?? wanted.count]
    let expected = ConformanceTensor(
      index: 0, name: "y", type: type, shape: shape, range: 0..<values.count,
      definedByteCount: defined ?? values.count)
    return OutputComparison(tolerance: tolerance).finding(
      on: .init(type: type, shape: shape, bytes: bytes(got)), expected: expected, values: values
    ).problem
  }

  @Test func exactFloatsAreEqualByValue() {
    #expect(problem([0, -0.0, .nan] as [Float], [-0.0, 0, .nan], type: "float32", .exact) == nil)
    #expect(problem([.nan] as [Float], [-.nan], type: "float32", .exact) == nil)
    #expect(problem([1] as [Float], [1.0000001], type: "float32", .exact) != nil)
    #expect(problem([.nan] as [Float], [1], type: "float32", .exact) != nil)
    #expect(problem([1] as [Float], [.nan], type: "float32", .exact) != nil)
  }

  @Test func closeAllowsAnAbsoluteAndARelativeDistance() {
    // The tolerance at 100 is 0.5 + 0.25 · 100 = 25.5; all numbers are exact in binary.
    let close = Tolerance.close(absolute: 0.5, relative: 0.25)
    #expect(problem([125.5] as [Float], [100], type: "float32", close) == nil)
    #expect(problem([74.5] as [Float], [100], type: "float32", close) == nil)
    #expect(problem([125.51] as [Float], [100], type: "float32", close) != nil)
    // The relative tolerance is of the expected value: 0.5 + 0.25 · 125.5 would be more.
    #expect(problem([100] as [Float], [125.5], type: "float32", close) == nil)
    #expect(problem([0.5] as [Float], [0], type: "float32", close) == nil)
    #expect(problem([0.51] as [Float], [0], type: "float32", close) != nil)
  }

  @Test func infinitiesMustBeEqual() {
    let close = Tolerance.close(absolute: 1e30, relative: 1)
    #expect(problem([.infinity] as [Float], [.infinity], type: "float32", close) == nil)
    #expect(problem([-.infinity] as [Float], [.infinity], type: "float32", close) != nil)
    #expect(problem([3.4e38] as [Float], [.infinity], type: "float32", close) != nil)
    #expect(problem([.infinity] as [Float], [3.4e38], type: "float32", close) != nil)
    #expect(problem([.nan] as [Float], [.nan], type: "float32", close) == nil)
    #expect(problem([.nan] as [Float], [0], type: "float32", close) != nil)
  }

  @Test func integersAreExactUnderAnyTolerance() {
    let close = Tolerance.close(absolute: 10, relative: 10)
    #expect(problem([5] as [Int8], [5], type: "int8", close) == nil)
    #expect(problem([5] as [Int8], [6], type: "int8", close) != nil)
    #expect(problem([true], [false], type: "bool", close) != nil)
    // Equal as doubles, but not as integers.
    let large = 9_007_199_254_740_992 as Int64
    #expect(problem([large], [large + 1], type: "int64", .exact) != nil)
    #expect(
      problem([0x21, 0x43] as [UInt8], [0x21, 0x53], type: "int4", close, elements: 4) != nil)
    #expect(problem([1, 2] as [UInt8], [1, 2], type: "string", close) == nil)
    #expect(problem([1, 2] as [UInt8], [1, 3], type: "string", close) != nil)
  }

  @Test func halfPrecisionIsReadAsNumbers() {
    let close = Tolerance.close(absolute: 0, relative: 0.002)
    #expect(problem([1.001] as [Float16], [1], type: "float16", close) == nil)
    #expect(problem([1.003] as [Float16], [1], type: "float16", close) != nil)
    // bfloat16 0x3F80 is 1, and 0x3F81 is 1 + 2^-7.
    let coarse = Tolerance.close(absolute: 0, relative: 0x1p-7)
    #expect(problem([0x3F81] as [UInt16], [0x3F80], type: "bfloat16", coarse) == nil)
    #expect(problem([0x3F82] as [UInt16], [0x3F80], type: "bfloat16", coarse) != nil)
  }

  @Test func complexNumbersAreComparedByTheirDistance() {
    // The distance of 0 and 3+4i is 5; the distances of real and imaginary parts are smaller.
    let close = Tolerance.close(absolute: 4.5, relative: 0)
    #expect(problem([3, 4] as [Float], [0, 0], type: "complex64", close, elements: 1) != nil)
    #expect(problem([3, 3] as [Float], [0, 0], type: "complex64", close, elements: 1) == nil)
    #expect(
      problem([.nan, 1] as [Double], [2, .nan], type: "complex128", .exact, elements: 1) == nil)
    #expect(
      problem([-0.0, 1] as [Double], [0, 1], type: "complex128", .exact, elements: 1) == nil)
  }

  @Test func onlyDefinedBytesCount() {
    #expect(problem([1, 9] as [Float], [1, 2], type: "float32", .exact, defined: 4) == nil)
    #expect(problem([1, 9] as [Float], [1, 2], type: "float32", .exact, defined: 8) != nil)
    #expect(problem([8] as [Int32], [9], type: "int32", .exact, defined: 0) == nil)
  }

  @Test func statisticsOfRandomNumbers() {
    func statistical(_ got: [Float], mean: Double, deviation: Double) -> String? {
      problem(
        got, got.map { _ in 0 }, type: "float32",
        .statistical(
          .init(
            range: 0...1, mean: .init(expected: mean, within: 0.01),
            standardDeviation: .init(expected: deviation, within: 0.01))))
    }
    // The mean is 1/2 and the population's deviation 1/2; a sample's deviation would be 0.577.
    #expect(statistical([0, 0, 1, 1], mean: 0.5, deviation: 0.5) == nil)
    #expect(statistical([0, 0, 1, 1], mean: 0.6, deviation: 0.5) != nil)
    #expect(statistical([0, 0, 1, 1], mean: 0.5, deviation: 0.577) != nil)
    #expect(statistical([0, 0, 1, 1.5], mean: 0.625, deviation: 0.65) != nil)
  }

  /// The tolerance at 100 is 0.5 + 0.25 · 100 = 25.5, at 0 it is 0.5; all numbers are exact in
  /// binary.
  @Test(
    arguments: [
      ([100, 0], 0), ([151, 0], 2), ([87.25, 0.25], 0.5), ([100, 0.5], 1),
      ([.nan, 0], .infinity),
    ] as [([Float], Double)])
  func usedToleranceIsThatOfTheWorstNumber(got: [Float], used: Double) {
    let values = bytes([100, 0] as [Float])
    let expected = ConformanceTensor(
      index: 0, name: "y", type: "float32", shape: [2], range: 0..<8, definedByteCount: 8)
    func finding(_ tolerance: Tolerance) -> OutputComparison.Finding {
      OutputComparison(tolerance: tolerance).finding(
        on: .init(type: "float32", shape: [2], bytes: bytes(got)), expected: expected,
        values: values)
    }
    let close = finding(.close(absolute: 0.5, relative: 0.25))
    #expect(close.usedTolerance == used)
    #expect((close.problem == nil) == (used <= 1))
    #expect(finding(.exact).usedTolerance == nil)
  }

  @Test func typesAndShapesMustAgree() {
    let expected = ConformanceTensor(
      index: 0, name: "y", type: "int8", shape: [1, 2], range: 0..<2, definedByteCount: 2)
    let comparison = OutputComparison(tolerance: .exact)
    func check(_ type: String, _ shape: [Int], _ bytes: [UInt8]) -> String? {
      comparison.finding(
        on: .init(type: type, shape: shape, bytes: bytes), expected: expected, values: [1, 2]
      ).problem
    }
    #expect(check("int8", [1, 2], [1, 2]) == nil)
    #expect(check("uint8", [1, 2], [1, 2]) == "type is uint8, expected int8")
    #expect(check("int8", [2], [1, 2]) == "shape is [2], expected [1, 2]")
    #expect(check("int8", [1, 2], [1]) == "it has 1 bytes, expected 2")
  }

  @Test func sayWhatDiffers() {
    let text = problem([1, 2.5, 4] as [Float], [1, 2, 3], type: "float32", .exact)
    #expect(text == "element 1 is 2.5, expected 2.0; 2 of 3 differ, by up to 1.0")
  }
}
