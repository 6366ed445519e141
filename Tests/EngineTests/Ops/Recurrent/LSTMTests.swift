import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// One cell whose weights are zero: its gates are half open, and its candidate is always one.
@Suite struct LSTMTests {
  private func constant(_ name: String, _ shape: [Int], _ value: Float) -> ModelWriter.Tensor {
    .init(name, .float32, shape, constant: .init(bytesOf: [value]))
  }

  /// The 20 operands of the full kernel, without those in `missing`.
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
    // The cell holds 1/2 and then 3/4; the output is half of its hyperbolic tangent.
    for expected: Float in [0.231_058_58, 0.317_574_47] {
      try interpreter.run()
      #expect(abs(try interpreter.output(at: 0, as: Float.self)[0] - expected) < 1e-6)
    }
  }

  @Test(arguments: [[1, 9, 10, 11, 16, 17], [9, 16, 17], [9, 10, 11, 16]])
  func refusesOperandsThatAreHalfThere(missing: [Int]) {
    #expect(throws: ModelError.self) { try interpreter(leavingOut: Set(missing)) }
  }

  /// Results equal the reference kernel's even if one variable holds both states, where outputs
  /// overwrite cell states that are still to be read.
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

  /// A random cell with 8-bit weights, for seven steps of three sequences.
  private func hybridCell(
    isTimeMajor: Bool, isAsymmetric: Bool, hasInputGate: Bool
  ) throws -> Model {
    let (steps, batches, inputs, cells) = (7, 3, 21, 37)
    var random = SeededGenerator(seed: 37)
    func weights(_ depth: Int) -> ModelWriter.Tensor {
      .init(
        "weights", .int8, [cells, depth], constant: random.bytes(cells * depth, isSigned: true),
        quantization: .init(scales: [random.floats(1)[0] / 1000 + 0.004], zeroPoints: [0]))
    }
    func vector() -> ModelWriter.Tensor {
      .init("vector", .float32, [cells], constant: .init(bytesOf: random.floats(cells)))
    }
    let states = ["outputs", "cells"].map {
      ModelWriter.Tensor($0, .float32, [batches, cells], isVariable: true)
    }
    let shape = isTimeMajor ? [steps, batches, inputs] : [batches, steps, inputs]
    let reading =
      [.init("input", .float32, shape)] + (0..<4).map { _ in weights(inputs) }
      + (0..<4).map { _ in weights(cells) } + (0..<7).map { _ in vector() }
      + [weights(cells), vector()] + states
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "UNIDIRECTIONAL_SEQUENCE_LSTM", version: 3), reading: reading,
      writing: [.init("output", .float32, Array(shape[..<2]) + [cells])],
      options: .init(
        tag: BuiltinOptionsTag.unidirectionalSequenceLSTM,
        [
          0: .int8(4), 1: .float(0.9), 3: .bool(isTimeMajor), 4: .bool(isAsymmetric),
        ]))
    for position in [9, 10, 11, 16, 17] + (hasInputGate ? [] : [1, 5, 12]) {
      writer.subgraphs[0].operators[0].inputs[position] = -1
    }
    return try Model(bytes: writer.bytes())
  }

  /// All bits must match the reference kernel, because a difference in the last bit could round to
  /// another byte in the next step.
  @Test(arguments: [false, true], [(false, true), (true, true), (true, false)])
  func cellsWithBytesHaveTheBitsOfPlainLoops(
    isTimeMajor: Bool, cell: (isAsymmetric: Bool, hasInputGate: Bool)
  ) throws {
    let model = try hybridCell(
      isTimeMajor: isTimeMajor, isAsymmetric: cell.isAsymmetric, hasInputGate: cell.hasInputGate)
    let results = try [false, true].map { isReference in
      let interpreter = try Interpreter(model, options: .init(usesReferenceKernels: isReference))
      var random = SeededGenerator(seed: 38)
      var outputs: [Float] = []
      for _ in 0..<3 {
        try interpreter.setInput(
          at: 0, to: random.floats(interpreter.inputs[0].shape.elementCount))
        try interpreter.run()
        outputs += try interpreter.output(at: 0, as: Float.self)
      }
      return outputs
    }
    let areEqual = results[0] == results[1]
    #expect(areEqual)
  }
}
