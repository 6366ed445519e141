import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// A layer of one unit, which computes `h = 2x + h + 1/2`.
@Suite struct RNNTests {
  private func constant(_ name: String, _ shape: [Int], _ value: Float) -> ModelWriter.Tensor {
    .init(name, .float32, shape, constant: .init(bytesOf: [value]))
  }

  private var cell: [ModelWriter.Tensor] {
    [
      constant("weights", [1, 1], 2), constant("recurrent weights", [1, 1], 1),
      constant("bias", [1], 0.5), .init("state", .float32, [1, 1], isVariable: true),
    ]
  }

  private func interpreter(
    _ name: String, reading: [ModelWriter.Tensor], writing: [ModelWriter.Tensor],
    options: ModelWriter.Options
  ) throws -> Interpreter {
    let code = OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: name) ?? -1)
    let writer = ModelWriter.singleOperator(
      code, reading: reading, writing: writing, options: options)
    return try Interpreter(Model(bytes: writer.bytes()))
  }

  @Test func outputsEnterTheNextStep() throws {
    let interpreter = try interpreter(
      "UNIDIRECTIONAL_SEQUENCE_RNN", reading: [.init("input", .float32, [1, 2, 1])] + cell,
      writing: [.init("output", .float32, [])], options: .init(tag: BuiltinOptionsTag.sequenceRNN))
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [2.5, 7])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [9.5, 14])
  }

  @Test func theBackwardLayerStartsFromTheEnd() throws {
    // The operator takes three more operands, which this model leaves out.
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(
        builtinCode: BuiltinOperator.code(named: "BIDIRECTIONAL_SEQUENCE_RNN") ?? -1),
      reading: [.init("input", .float32, [1, 2, 1])] + cell + cell,
      writing: [.init("output", .float32, [])],
      options: .init(tag: BuiltinOptionsTag.bidirectionalSequenceRNN, [2: .bool(true)]))
    writer.subgraphs[0].operators[0].inputs += [-1, -1, -1]
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.run()
    #expect(interpreter.outputs[0].shape == [1, 2, 2])
    #expect(try interpreter.output(at: 0, as: Float.self) == [2.5, 7, 7, 4.5])
  }
}
