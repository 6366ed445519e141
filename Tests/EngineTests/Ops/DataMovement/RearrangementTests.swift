import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Rules of the operators that move elements; the conformance corpus tests most of them.
@Suite struct RearrangementTests {
  private typealias Tensor = ModelWriter.Tensor

  private func integers(_ name: String, _ values: [Int32]) -> Tensor {
    Tensor(name, .int32, [values.count], constant: Array(bytesOf: values))
  }

  private func interpreter(_ model: ModelWriter) throws -> Interpreter {
    try Interpreter(Model(bytes: model.bytes()))
  }

  // MARK: STRIDED_SLICE

  private func slice(
    _ input: Tensor, begin: [Int32], end: [Int32], step: [Int32], options: FlatFields = [:]
  ) throws -> Interpreter {
    try interpreter(
      .singleOperator(
        OperatorCodeRecord(named: "STRIDED_SLICE"),
        reading: [
          input, integers("begin", begin), integers("end", end), integers("step", step),
        ],
        writing: [Tensor("y", input.type, [1])],
        options: .init(tag: BuiltinOptionsTag.stridedSlice, options)))
  }

  /// `x[..., newaxis, ::-2]` of a 2 × 3 tensor.
  @Test func slicesWithEllipsisAndNewAxis() throws {
    let interpreter = try slice(
      Tensor("x", .float32, [2, 3]), begin: [0, 0, 0], end: [0, 0, 0], step: [1, 1, -2],
      options: [0: .int32(4), 1: .int32(4), 2: .int32(1), 3: .int32(2)])
    try interpreter.setInput(at: 0, to: [1, 2, 3, 4, 5, 6] as [Float])
    try interpreter.run()
    #expect(interpreter.outputs[0].shape == [2, 1, 2])
    #expect(try interpreter.output(at: 0) == [3, 1, 6, 4] as [Float])
  }

  /// Begins and ends are clamped, but the index of an axis that is dropped must exist.
  @Test func refusesAnIndexThatIsNotThere() throws {
    let clamped = try slice(
      Tensor("x", .int8, [3]), begin: [-9], end: [9], step: [1])
    try clamped.run()
    #expect(clamped.outputs[0].shape == [3])
    let dropped = try slice(
      Tensor("x", .int8, [3]), begin: [3], end: [4], step: [1], options: [4: .int32(1)])
    let error = #expect(throws: ModelError.self) { try dropped.allocate() }
    #expect(error?.message.contains("index 3 of axis 0") == true)
  }

  // MARK: PAD

  /// Padding a large result fills only the elements that the input does not cover, and gives the
  /// results of the reference kernel.
  @Test(arguments: [
    [0, 0, 1, 2, 3, 1, 0, 0], [0, 0, 0, 0, 0, 0, 200, 0], [1, 0, 2, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1],
  ])
  func padsWhatIsLarge(paddings: [Int32]) throws {
    let shape = [2, 20, 24, 24]
    let model = try Model(
      bytes: ModelWriter.singleOperator(
        OperatorCodeRecord(named: "PADV2"),
        reading: [
          Tensor("x", .float32, shape),
          Tensor("paddings", .int32, [4, 2], constant: Array(bytesOf: paddings)),
          Tensor("value", .float32, [1], constant: Array(bytesOf: [-7] as [Float])),
        ],
        writing: [Tensor("y", .float32, [])], options: .init(tag: BuiltinOptionsTag.padV2)
      ).bytes())
    let numbers = (0..<shape.reduce(1, *)).map { Float($0) }
    let results = try [false, true].map { isReference in
      let interpreter = try Interpreter(model, options: .init(usesReferenceKernels: isReference))
      try interpreter.setInput(at: 0, to: numbers)
      try interpreter.run()
      return try interpreter.output(at: 0, as: Float.self)
    }
    #expect(results[0] == results[1])
    #expect(results[0].count { $0 == -7 } == results[0].count - numbers.count)
  }

  // MARK: CONCATENATION

  /// Unsigned operands with other parameters than the result are rescaled: (q − 10) · 0.5 is given
  /// in steps of 0.25, and 4.5 steps round away from zero.
  @Test func rescalesBytes() throws {
    let interpreter = try interpreter(
      .singleOperator(
        OperatorCodeRecord(named: "CONCATENATION"),
        reading: [
          Tensor("a", .uint8, [3], quantization: .init(scales: [0.5], zeroPoints: [10])),
          Tensor("b", .uint8, [2], quantization: .init(scales: [0.25], zeroPoints: [0])),
          Tensor("c", .uint8, [2], quantization: .init(scales: [0.125], zeroPoints: [0])),
        ],
        writing: [Tensor("y", .uint8, [7], quantization: .init(scales: [0.25], zeroPoints: [0]))],
        options: .init(tag: BuiltinOptionsTag.concatenation)))
    try interpreter.setInput(at: 0, to: [9, 10, 200] as [UInt8])
    try interpreter.setInput(at: 1, to: [9, 10] as [UInt8])
    try interpreter.setInput(at: 2, to: [9, 10] as [UInt8])
    try interpreter.run()
    #expect(try interpreter.output(at: 0) == [0, 0, 255, 9, 10, 5, 5] as [UInt8])
  }

  // MARK: Packed and wide elements

  /// The second row of three 4-bit elements begins in the middle of a byte.
  @Test func transposesHalfBytes() throws {
    let interpreter = try interpreter(
      .singleOperator(
        OperatorCodeRecord(named: "TRANSPOSE"),
        reading: [Tensor("x", .int4, [2, 3]), integers("axes", [1, 0])],
        writing: [Tensor("y", .int4, [3, 2])]))
    // [[1, 2, 3], [4, 5, 6]] with the first element in the low half of each byte.
    try interpreter.main.withInputBytes(at: 0) { $0.copyBytes(from: [0x21, 0x43, 0x65]) }
    try interpreter.run()
    let bytes = try interpreter.main.withOutputBytes(at: 0) { Array($0) }
    #expect(bytes == [0x41, 0x52, 0x63])
  }

  @Test func transposesOnlyWithEveryAxisOnce() throws {
    let interpreter = try interpreter(
      .singleOperator(
        OperatorCodeRecord(named: "TRANSPOSE"),
        reading: [Tensor("x", .int8, [2, 3]), integers("axes", [0, 0])],
        writing: [Tensor("y", .int8, [2, 2])]))
    #expect(throws: ModelError.self) { try interpreter.allocate() }
  }
}
