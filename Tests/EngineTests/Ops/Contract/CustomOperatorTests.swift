import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct CustomOperatorTests {
  private static let model = ModelWriter.singleOperator(
    OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: "Reverse"),
    reading: [.init("x", .float32, [3])], writing: [.init("y", .float32, [3])],
    customOptions: [7]
  ).bytes()

  private static func reverse(
    check: @escaping CustomOperator.Check = { (_) throws(CustomOperator.Failure) in }
  ) -> CustomOperator {
    CustomOperator(
      "Reverse", check: check,
      shapes: { (_, shapes) throws(CustomOperator.Failure) in shapes.compactMap { $0 } },
      compute: { (_, inputs, outputs) throws(CustomOperator.Failure) in
        guard let input = inputs[0]?.values(as: Float.self) else { return }
        let output = outputs[0].values(as: Float.self)
        for index in input.indices { output[index] = input[input.count - 1 - index] }
      })
  }

  @Test func runsLikeABuiltInOne() throws {
    let model = try Model(bytes: Self.model, options: .init(customOperators: [Self.reverse()]))
    let interpreter = try Interpreter(model)
    try interpreter.setInput(at: 0, to: [1, 2, 3] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [3, 2, 1])
  }

  @Test func isListedWhenItIsMissing() {
    let error = #expect(throws: ModelError.self) { try Model(bytes: Self.model) }
    #expect(error?.kind == .missingOperator)
    #expect(error?.problems.map(\.operatorName) == ["Reverse"])
  }

  @Test func seesItsOptionsAndMayRefuseThem() {
    let picky = Self.reverse { node throws(CustomOperator.Failure) in
      throw CustomOperator.Failure("options \(node.options)")
    }
    let error = #expect(throws: ModelError.self) {
      try Model(bytes: Self.model, options: .init(customOperators: [picky]))
    }
    #expect(error?.message.contains("options [7]") == true)
  }
}
