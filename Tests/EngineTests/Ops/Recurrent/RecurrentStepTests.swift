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
