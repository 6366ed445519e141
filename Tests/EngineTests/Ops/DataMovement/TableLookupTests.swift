import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct TableLookupTests {
  @Test func quantizedRowsBecomeFloats() throws {
    let (shape, values) = try run(
      "EMBEDDING_LOOKUP",
      [
        .init([2], [1, 0] as [Int32]), .init([2, 2], [1, 2, -3, -4] as [Int8], scale: 0.5),
      ], version: 2, as: Float.self)
    #expect(shape == [2, 2])
    #expect(values == [-1.5, -2, 0.5, 1])
  }

  @Test(arguments: [Int32(-1), 2, .min, .max])
  func rowsThatAreNotThereAreErrors(number: Int32) {
    let error = #expect(throws: ModelError.self) {
      try run(
        "EMBEDDING_LOOKUP",
        [.init([1], [number]), .init([2, 2], [1, 2, 3, 4] as [Float])], as: Float.self)
    }
    #expect(error?.kind == .invalidData)
  }

  /// The first result is the mean of rows 0 and 1 with the weights 1 and 3, the third is row 1
  /// alone.
  @Test func sparseLookupsCombineTheRowsOfAnIndex() throws {
    let (shape, values) = try run(
      "EMBEDDING_LOOKUP_SPARSE",
      [
        .init([3], [0, 1, 1] as [Int32]), .init([3, 2], [0, 0, 0, 1, 2, 0] as [Int32]),
        .init([2], [3, 2] as [Int32]), .init([3], [1, 3, 2] as [Float]),
        .init([2, 1], [10, 20] as [Float]),
      ], options: .init(tag: BuiltinOptionsTag.embeddingLookupSparse, [0: .int8(1)]),
      as: Float.self)
    #expect(shape == [3, 1])
    #expect(values == [17.5, 0, 20])
  }

  /// Elements whose indices lie outside the dense shape are left out.
  @Test(arguments: [[Int32(-5), 0], [9, 9], [.max, .max], [.min, .min]])
  func sparseIndicesOutsideAreLeftOut(index: [Int32]) throws {
    let (_, values) = try run(
      "EMBEDDING_LOOKUP_SPARSE",
      [
        .init([1], [0] as [Int32]), .init([1, 2], index), .init([2], [2, 2] as [Int32]),
        .init([1], [1] as [Float]), .init([1, 1], [10] as [Float]),
      ], options: .init(tag: BuiltinOptionsTag.embeddingLookupSparse, [0: .int8(1)]),
      as: Float.self)
    #expect(values == [0, 0])
  }

  @Test func keysThatAreMissingGiveZeros() throws {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: "HASHTABLE_LOOKUP") ?? -1)
    let model = ModelWriter.singleOperator(
      code,
      reading: [
        .init("wanted", .int32, [3]), .init("keys", .int32, [2]), .init("table", .float32, [2, 2]),
      ], writing: [.init("y", .float32, []), .init("hits", .uint8, [])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    try interpreter.setInput(at: 0, to: [30, Int32.min, 10] as [Int32])
    try interpreter.setInput(at: 1, to: [10, 30] as [Int32])
    try interpreter.setInput(at: 2, to: [1, 2, 3, 4] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0) == [3, 4, 0, 0, 1, 2] as [Float])
    #expect(try interpreter.output(at: 1) == [1, 0, 1] as [UInt8])
  }
}
