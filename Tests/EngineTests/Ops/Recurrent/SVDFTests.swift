import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// One filter over two steps, with a weight of 1 for the older step and 10 for the newer.
@Suite struct SVDFTests {
  private func interpreter(isVariable: Bool = true) throws -> Interpreter {
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: "SVDF") ?? -1),
      reading: [
        .init("input", .float32, [1, 1]),
        .init("feature", .float32, [1, 1], constant: .init(bytesOf: [1] as [Float])),
        .init("time", .float32, [1, 2], constant: .init(bytesOf: [1, 10] as [Float])),
        .init("bias", .float32, [1], constant: .init(bytesOf: [0.5] as [Float])),
        .init("state", .float32, [1, 2], isVariable: isVariable),
      ], writing: [.init("output", .float32, [1, 1])],
      options: .init(tag: BuiltinOptionsTag.svdf, [0: .int32(1)]))
    return try Interpreter(Model(bytes: writer.bytes()))
  }

  @Test func remembersFeaturesUntilReset() throws {
    let interpreter = try interpreter()
    func output(_ input: Float) throws -> Float {
      try interpreter.setInput(at: 0, to: [input])
      try interpreter.run()
      return try interpreter.output(at: 0, as: Float.self)[0]
    }
    #expect(try output(3) == 30.5)
    #expect(try output(5) == 53.5)
    interpreter.resetState()
    #expect(try output(5) == 50.5)
  }

  @Test func refusesStatesThatAreNoVariables() {
    #expect(throws: ModelError.self) { try interpreter(isVariable: false) }
  }
}
