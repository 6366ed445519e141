import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Errors in a graph are reported once, completely, and with their location.
@Suite struct GraphTests {
  private typealias Tensor = ModelWriter.Tensor

  private static let reshape = OperatorCodeRecord(
    builtinCode: BuiltinOperator.code(named: "RESHAPE") ?? -1)

  /// A model of RESHAPE nodes, each given by the tensors that it reads and writes.
  private func model(
    _ steps: [(from: Int, to: Int)], inputs: [Int] = [0], outputs: [Int]
  ) -> [UInt8] {
    let shape = Tensor("shape", .int32, [1], constant: [2, 0, 0, 0])
    let tensors = (0..<5).map { Tensor("t\($0)", .float32, [2]) } + [shape]
    return ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: inputs, outputs: outputs,
        operators: steps.map { step in
          .init(Self.reshape, inputs: [step.from, 5], outputs: [step.to])
        })
    ]).bytes()
  }

  private func error(_ bytes: [UInt8]) -> ModelError? {
    #expect(throws: ModelError.self) { try Model(bytes: bytes) }
  }

  @Test func listsEverythingThatIsNotSupported() {
    let unknown = ["First", "Second"].map { OperatorCodeRecord(builtinCode: 32, customCode: $0) }
    let bytes = ModelWriter(subgraphs: [
      .init(
        tensors: [.init("a", .float32, [1]), .init("b", .float32, [1]), .init("c", .float32, [1])],
        inputs: [0], outputs: [2],
        operators: [
          .init(unknown[0], inputs: [0], outputs: [1]),
          .init(unknown[1], inputs: [1], outputs: [2]),
        ])
    ]).bytes()
    let error = error(bytes)
    #expect(error?.kind == .missingOperator)
    #expect(error?.problems.map(\.node) == [0, 1])
    #expect(error?.problems.map(\.operatorName) == ["First", "Second"])
  }

  /// Signatures with missing operators are left out, such as those that save and restore the
  /// weights of trainable models.
  @Test func signaturesThatCannotBeRunAreLeftOut() throws {
    let unknown = OperatorCodeRecord(builtinCode: 32, customCode: "FlexSave")
    let relu = OperatorCodeRecord(named: "RELU")
    func subgraph(_ code: OperatorCodeRecord) -> ModelWriter.Subgraph {
      .init(
        tensors: [.init("a", .float32, [1]), .init("b", .float32, [1])], inputs: [0], outputs: [1],
        operators: [.init(code, inputs: [0], outputs: [1])])
    }
    func signature(_ key: String, _ subgraph: Int) -> SignatureRecord {
      .init(
        key: key, subgraphIndex: subgraph, inputs: [.init(name: "x", tensor: 0)],
        outputs: [.init(name: "y", tensor: 1)])
    }
    let bytes = ModelWriter(
      subgraphs: [subgraph(relu), subgraph(unknown), subgraph(relu)],
      signatures: [signature("infer", 0), signature("save", 1), signature("again", 2)]
    ).bytes()
    let model = try Model(bytes: bytes)
    #expect(model.unusableSignatureKeys == ["save"])
    let interpreter = try Interpreter(model)
    try interpreter.setInput(at: 0, to: [Float(-1)])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [0])
    _ = try interpreter.signature("again")
    let error = #expect(throws: ModelError.self) { _ = try interpreter.signature("save") }
    #expect(error?.kind == .missingOperator)
    #expect(error?.problems.map(\.operatorName) == ["FlexSave"])
    let missing = #expect(throws: ModelError.self) { _ = try interpreter.signature("no") }
    #expect(missing?.kind == .mismatch)
    // If the first subgraph cannot run, the model is refused.
    let broken = ModelWriter(
      subgraphs: [subgraph(unknown), subgraph(relu)], signatures: [signature("infer", 1)])
    #expect(self.error(broken.bytes())?.kind == .missingOperator)
  }

  @Test func refusesReadingAheadOfWriting() {
    #expect(error(model([(1, 2), (0, 1)], outputs: [2]))?.kind == .malformed)
  }

  @Test func refusesWritingTwice() {
    #expect(error(model([(0, 1), (0, 1)], outputs: [1]))?.message.contains("twice") == true)
  }

  @Test func refusesWritingAnInput() {
    #expect(error(model([(1, 0)], inputs: [0, 1], outputs: [0]))?.kind == .malformed)
  }

  @Test func refusesOutputsThatNothingComputes() {
    #expect(error(model([(0, 1)], outputs: [2]))?.message.contains("never computed") == true)
  }

  @Test func takesChainsInOrder() throws {
    let interpreter = try Interpreter(Model(bytes: model([(0, 1), (1, 2)], outputs: [2, 0])))
    try interpreter.setInput(at: 0, to: [4, 5] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [4, 5])
    #expect(try interpreter.output(at: 1, as: Float.self) == [4, 5])
  }
}
