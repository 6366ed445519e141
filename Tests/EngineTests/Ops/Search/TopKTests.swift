import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct TopKTests {
  private func best(_ count: Int, of values: [Float]) throws -> (values: [Float], indices: [Int32])
  {
    let model = ModelWriter.singleOperator(
      .init(named: "TOPK_V2"),
      reading: [
        .init("x", .float32, [values.count]),
        .init("k", .int32, [1], constant: [UInt8](bytesOf: [Int32(count)])),
      ], writing: [.init("values", .float32, [count]), .init("indices", .int32, [count])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    try interpreter.setInput(at: 0, bytes: [UInt8](bytesOf: values))
    try interpreter.run()
    return (try interpreter.output(at: 0), try interpreter.output(at: 1))
  }

  @Test(arguments: [1, 2, 5, 64, 299, 300])
  func theFirstOfEqualElementsComesFirst(count: Int) throws {
    var random = SeededGenerator(seed: 61)
    let values = (0..<300).map { _ in Float(Int.random(in: -20...20, using: &random)) }
    let order = values.indices.sorted {
      values[$0] == values[$1] ? $0 < $1 : values[$0] > values[$1]
    }
    let result = try best(count, of: values)
    #expect(result.indices == order.prefix(count).map { Int32($0) })
    #expect(result.values == order.prefix(count).map { values[$0] })
  }

  /// Rows that are much longer than `count` equal a full sort, also when all or nearly all of their
  /// elements exceed the lowest one kept so far.
  @Test(arguments: [1, 20, 300, 900])
  func rowsMayHaveAnyOrder(count: Int) throws {
    var random = SeededGenerator(seed: 62)
    let length = 3000
    var rows = (0..<40).map { _ in random.floats(length) }
    rows += [rows[0].sorted(), rows[0].sorted(by: >)]
    rows.append(zip(rows[0].sorted(), rows[1].sorted(by: >)).flatMap { [$0, $1] }.dropLast(length))
    rows.append((0..<length).map { Float($0 % 7) })
    for row in rows {
      let order = row.indices.sorted { row[$0] == row[$1] ? $0 < $1 : row[$0] > row[$1] }
      let areInOrder = try best(count, of: row).indices == order.prefix(count).map { Int32($0) }
      #expect(areInOrder)
    }
  }

  @Test func whatIsNoNumberComesLast() throws {
    #expect(try best(3, of: [.nan, -1, .nan, .infinity]).indices == [3, 1, 0])
    #expect(try best(2, of: [.nan, 2, 3, .nan]).indices == [2, 1])
  }

  @Test func zerosOfBothSignsAreEqual() throws {
    #expect(try best(4, of: [-1, -0.0, 0, -.infinity]).indices == [1, 2, 0, 3])
  }
}
