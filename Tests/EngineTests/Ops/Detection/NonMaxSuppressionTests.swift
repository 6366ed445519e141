import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct NonMaxSuppressionTests {
  /// Selects at most three boxes, given by their corners, by their scores.
  private func selected(
    _ boxes: [[Float]], scores: [Float], sigma: Float? = nil
  ) throws -> (indices: [Int32], count: Int32) {
    let operands: [ModelWriter.Tensor] = [
      .init("boxes", .float32, [boxes.count, 4]), .init("scores", .float32, [scores.count]),
      .init("limit", .int32, [], constant: .init(bytesOf: [3] as [Int32])),
      .init("overlap", .float32, [], constant: .init(bytesOf: [0.5] as [Float])),
      .init("score", .float32, [], constant: .init(bytesOf: [0.1] as [Float])),
    ]
    let results: [ModelWriter.Tensor] = [
      .init("indices", .int32, []), .init("count", .int32, []),
    ]
    let code = BuiltinOperator.code(named: "NON_MAX_SUPPRESSION_V4") ?? -1
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: code), reading: operands, writing: results)
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: boxes.flatMap { $0 })
    try interpreter.setInput(at: 1, to: scores)
    try interpreter.run()
    return (try interpreter.output(at: 0), try interpreter.output(at: 1, as: Int32.self)[0])
  }

  @Test func betterBoxesSuppressTheirNeighbors() throws {
    let (indices, count) = try selected(
      [[0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3], [5, 5, 6, 6]], scores: [0.6, 0.7, 0.9, 0.05])
    #expect(count == 2)
    #expect(indices == [2, 1, 0])
  }

  @Test func cornersMayBeExchanged() throws {
    let (indices, count) = try selected([[1, 1, 0, 0], [0, 0, 1, 1]], scores: [0.4, 0.5])
    #expect(count == 1)
    #expect(indices[0] == 1)
  }

  /// An empty box does not even overlap itself, so the official kernel selects it again.
  @Test func emptyBoxesAreTakenAgain() throws {
    let (indices, count) = try selected([[1, 1, 1, 2], [4, 4, 4, 4]], scores: [0.9, 0.8])
    #expect(count == 2)
    #expect(indices == [0, 0, 0])
  }
}
