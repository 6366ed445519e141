import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Recurrent layers on the tuned kernels, checked against the reference kernels.
@Suite struct RecurrentStepTests {
  private typealias Tensor = ModelWriter.Tensor

  /// A matrix of floats, or of 8-bit integers with a scale.
  private func weights(
    _ rows: Int, _ columns: Int, areBytes: Bool, _ random: inout SeededGenerator
  ) -> Tensor {
    if areBytes {
      return Tensor(
        "weights", .int8, [rows, columns],
        constant: random.bytes(rows * columns, isSigned: true),
        quantization: .init(scales: [0.004 + random.floats(1)[0] / 1000], zeroPoints: [0]))
    }
    let values = random.floats(rows * columns).map { $0 / 3 }
    return Tensor("weights", .float32, [rows, columns], constant: .init(bytesOf: values))
  }

  private func vector(_ count: Int, _ random: inout SeededGenerator) -> Tensor {
    Tensor("bias", .float32, [count], constant: .init(bytesOf: random.floats(count)))
  }

  /// Runs a model three times with tuned and with reference kernels, and returns whether all
  /// results are equal.
  private func haveTheBitsOfPlainLoops(_ writer: ModelWriter) throws -> Bool {
    let model = try Model(bytes: writer.bytes())
    let results = try [false, true].map { isReference in
      let interpreter = try Interpreter(
        model, options: .init(usesReferenceKernels: isReference, numerics: .exact))
      var random = SeededGenerator(seed: 41)
      var outputs: [[Float]] = []
      for _ in 0..<3 {
        let count = interpreter.inputs[0].shape.elementCount
        try interpreter.setInput(at: 0, to: random.floats(count))
        try interpreter.run()
        for index in interpreter.outputs.indices {
          outputs.append(try interpreter.output(at: index))
        }
      }
      if !isReference {
        guard case .kernel = interpreter.plan.nodes[0].execution else {
          Issue.record("\(interpreter.plan.nodes[0].execution)")
          return outputs
        }
      }
      return outputs
    }
    return results[0] == results[1]
  }

  @Test(arguments: [false, true], [(false, false), (true, false), (true, true)])
  func layers(isTimeMajor: Bool, weightKind: (areBytes: Bool, isAsymmetric: Bool)) throws {
    var random = SeededGenerator(seed: 42)
    let (steps, batches, inputs, units) = (9, 3, 21, 37)
    let shape = isTimeMajor ? [steps, batches, inputs] : [batches, steps, inputs]
    let areBytes = weightKind.areBytes
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "UNIDIRECTIONAL_SEQUENCE_RNN", version: 3),
      reading: [
        Tensor("x", .float32, shape), weights(units, inputs, areBytes: areBytes, &random),
        weights(units, units, areBytes: areBytes, &random), vector(units, &random),
        Tensor("state", .float32, [batches, units], isVariable: true),
      ], writing: [Tensor("y", .float32, Array(shape[..<2]) + [units])],
      options: .init(
        tag: BuiltinOptionsTag.sequenceRNN,
        [0: .bool(isTimeMajor), 1: .int8(4), 2: .bool(weightKind.isAsymmetric)]))
    let areEqual = try haveTheBitsOfPlainLoops(writer)
    #expect(areEqual)
  }

  /// Layers of both directions, with one merged output or with two outputs.
  @Test(arguments: [false, true])
  func layersOfBothDirections(isMerged: Bool) throws {
    var random = SeededGenerator(seed: 43)
    let (steps, batches, inputs) = (6, 2, 11)
    func cell(_ units: Int) -> [Tensor] {
      [
        weights(units, inputs, areBytes: false, &random),
        weights(units, units, areBytes: false, &random), vector(units, &random),
        Tensor("state", .float32, [batches, units], isVariable: true),
      ]
    }
    let outputs = isMerged ? [28] : [17, 11]
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "BIDIRECTIONAL_SEQUENCE_RNN"),
      reading: [Tensor("x", .float32, [batches, steps, inputs])] + cell(17) + cell(11),
      writing: outputs.map { Tensor("y", .float32, [batches, steps, $0]) },
      options: .init(
        tag: BuiltinOptionsTag.bidirectionalSequenceRNN, [1: .int8(4), 2: .bool(isMerged)]))
    writer.subgraphs[0].operators[0].inputs += [-1, -1, -1]
    let areEqual = try haveTheBitsOfPlainLoops(writer)
    #expect(areEqual)
  }

  /// LSTMs with float or 8-bit weights, with and without an input gate, and with the activation in
  /// the options: tanh or a clamp.
  @Test(
    arguments: [(false, false), (true, false), (true, true)],
    [(true, 4), (false, 4), (true, 1)] as [(hasInputGate: Bool, activation: Int8)])
  func cells(
    weightKind: (areBytes: Bool, isAsymmetric: Bool), kind: (hasInputGate: Bool, activation: Int8)
  ) throws {
    var random = SeededGenerator(seed: 45)
    let (steps, batches, inputs, units) = (5, 2, 21, 19)
    let areBytes = weightKind.areBytes
    var reading = [Tensor("x", .float32, [batches, steps, inputs])]
    for _ in 0..<4 { reading.append(weights(units, inputs, areBytes: areBytes, &random)) }
    for _ in 0..<4 { reading.append(weights(units, units, areBytes: areBytes, &random)) }
    for _ in 0..<7 { reading.append(vector(units, &random)) }
    reading += [weights(units, units, areBytes: areBytes, &random), vector(units, &random)]
    for name in ["outputs", "cells"] {
      reading.append(Tensor(name, .float32, [batches, units], isVariable: true))
    }
    var writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "UNIDIRECTIONAL_SEQUENCE_LSTM", version: 3),
      reading: reading, writing: [Tensor("y", .float32, [batches, steps, units])],
      options: .init(
        tag: BuiltinOptionsTag.unidirectionalSequenceLSTM,
        [
          0: .int8(kind.activation), 1: .float(0.75), 2: .float(0), 3: .bool(false),
          4: .bool(weightKind.isAsymmetric),
        ]))
    // Peepholes and projection, and the operands of the input gate.
    let missing = [9, 10, 11, 16, 17] + (kind.hasInputGate ? [] : [1, 5, 12])
    for position in missing { writer.subgraphs[0].operators[0].inputs[position] = -1 }
    let areEqual = try haveTheBitsOfPlainLoops(writer)
    #expect(areEqual)
  }

  @Test(arguments: [1, 2], [(false, false), (true, false), (true, true)])
  func filters(rank: Int, weightKind: (areBytes: Bool, isAsymmetric: Bool)) throws {
    var random = SeededGenerator(seed: 44)
    let (batches, inputs, units, memory) = (3, 21, 19, 5)
    let filterCount = units * rank
    let areBytes = weightKind.areBytes
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "SVDF", version: 3),
      reading: [
        Tensor("x", .float32, [batches, inputs]),
        weights(filterCount, inputs, areBytes: areBytes, &random),
        weights(filterCount, memory, areBytes: areBytes, &random), vector(units, &random),
        Tensor("state", .float32, [batches, memory * filterCount], isVariable: true),
      ], writing: [Tensor("y", .float32, [batches, units])],
      options: .init(
        tag: BuiltinOptionsTag.svdf,
        [0: .int32(Int32(rank)), 1: .int8(1), 2: .bool(weightKind.isAsymmetric)]))
    let areEqual = try haveTheBitsOfPlainLoops(writer)
    #expect(areEqual)
  }
}
