import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// One cell whose weights are zero: gates are half open, and the candidate is always one.
@Suite struct LSTMTests {
  private func constant(_ name: String, _ shape: [Int], _ value: Float) -> ModelWriter.Tensor {
    .init(name, .float32, shape, constant: .init(bytesOf: [value]))
  }

  /// The 20 operands of the full kernel, with the ones in `missing` left out.
  private func interpreter(
    leavingOut missing: Set<Int> = [9, 10, 11, 16, 17]
  ) throws -> Interpreter {
    let matrix = constant("weights", [1, 1], 0)
    let reading: [ModelWriter.Tensor] =
      [.init("input", .float32, [1, 1])] + Array(repeating: matrix, count: 8)
      + Array(repeating: constant("peephole", [1], 0), count: 3)
      + [
        constant("input gate", [1], 0), constant("forget gate", [1], 0),
        constant("candidate", [1], 20), constant("output gate", [1], 0), matrix,
        constant("projection", [1], 0), .init("outputs", .float32, [1, 1], isVariable: true),
        .init("cells", .float32, [1, 1], isVariable: true),
      ]
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: "LSTM") ?? -1),
      reading: reading, writing: [.init("output", .float32, [1, 1])],
      options: .init(tag: BuiltinOptionsTag.lstm, [0: .int8(4)]))
    for position in missing { writer.subgraphs[0].operators[0].inputs[position] = -1 }
    return try Interpreter(Model(bytes: writer.bytes()))
  }

  @Test(arguments: [[9, 10, 11, 16, 17], [1, 5, 9, 10, 11, 12, 16, 17]])
  func cellsFillUpStepByStep(missing: [Int]) throws {
    let interpreter = try interpreter(leavingOut: Set(missing))
    // The cell holds 1/2 and then 3/4; half of its hyperbolic tangent goes out.
    for expected: Float in [0.231_058_58, 0.317_574_47] {
      try interpreter.run()
      #expect(abs(try interpreter.output(at: 0, as: Float.self)[0] - expected) < 1e-6)
    }
  }

  @Test(arguments: [[1, 9, 10, 11, 16, 17], [9, 16, 17], [9, 10, 11, 16]])
  func refusesOperandsThatAreHalfThere(missing: [Int]) {
    #expect(throws: ModelError.self) { try interpreter(leavingOut: Set(missing)) }
  }

  /// Both states in one variable: each direction's outputs overwrite cells that are still to be read.
  @Test func statesThatAreOneAreNotComputedAside() throws {
    let bytes = try ConformanceCorpus().contents(
      of: "BIDIRECTIONAL_SEQUENCE_LSTM/float32_aux_cross.tflite")
    var writer = try ModelWriter(copying: ModelFile(ModelBytes(bytes)))
    writer.subgraphs[0].operators[0].inputs[36] = writer.subgraphs[0].operators[0].inputs[35]
    let model = try Model(bytes: writer.bytes())
    let results = try [false, true].map { isReference in
      let interpreter = try Interpreter(model, options: .init(usesReferenceKernels: isReference))
      var random = SeededGenerator(seed: 36)
      for (index, input) in interpreter.inputs.enumerated() {
        try interpreter.setInput(at: index, to: random.floats(input.shape.elementCount))
      }
      try interpreter.run()
      return try interpreter.output(at: 0, as: Float.self)
    }
    #expect(results[0] == results[1])
  }
}
