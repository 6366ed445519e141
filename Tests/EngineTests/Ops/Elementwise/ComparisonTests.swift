import OcellusEngine
import OcellusTestSupport
import Testing

@Suite struct ComparisonTests {
  private func truth(_ name: String, _ operands: [TestTensor]) throws -> [Bool] {
    try run(name, operands, as: Boolean.self).values.map(\.isTrue)
  }

  @Test func nothingHoldsOfNaNButInequality() throws {
    let operands = [TestTensor([1], [Float.nan]), TestTensor([1], [Float.nan])]
    for name in ["EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"] {
      #expect(try truth(name, operands) == [false], "\(name)")
    }
    #expect(try truth("NOT_EQUAL", operands) == [true])
  }

  /// 8 steps of 0.25 equal 4 steps of 0.5, though the stored numbers differ.
  @Test func quantizedNumbersAreComparedByWhatTheyStandFor() throws {
    let operands = [
      TestTensor([2], [8, 9] as [Int8], scale: 0.25),
      TestTensor([2], [14, 14] as [Int8], scale: 0.5, zeroPoint: 10),
    ]
    #expect(try truth("EQUAL", operands) == [true, false])
    #expect(try truth("GREATER", operands) == [false, true])
  }

  @Test func everyByteButZeroIsTrue() throws {
    var two = Boolean(true)
    two.byte = 2
    let operands = [TestTensor([1], [two]), TestTensor([1], [Boolean(true)])]
    #expect(try truth("EQUAL", operands) == [true])
    #expect(try truth("LOGICAL_AND", operands) == [true])
  }
}
