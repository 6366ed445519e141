import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ResourceTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  /// `once { v = 10 }; v = v + x; return v`, with the variable `v` of two floats.
  private static let accumulator: ModelWriter = {
    let handle = Operator(
      OperatorCodeRecord(named: "VAR_HANDLE"), inputs: [], outputs: [0],
      options: .init(tag: BuiltinOptionsTag.varHandle, [1: .string("v")]))
    let assign = OperatorCodeRecord(named: "ASSIGN_VARIABLE")
    let main = ModelWriter.Subgraph(
      tensors: [
        Tensor("handle", .resource, []), Tensor("x", .float32, [2]),
        Tensor("old", .float32, [2]), Tensor("new", .float32, [2]),
      ],
      inputs: [1], outputs: [3],
      operators: [
        Operator(
          OperatorCodeRecord(named: "CALL_ONCE"), inputs: [], outputs: [],
          options: .init(tag: BuiltinOptionsTag.callOnce, [0: .int32(1)])),
        handle,
        Operator(OperatorCodeRecord(named: "READ_VARIABLE"), inputs: [0], outputs: [2]),
        Operator(
          OperatorCodeRecord(named: "ADD"), inputs: [2, 1], outputs: [3],
          options: .init(tag: BuiltinOptionsTag.add)),
        Operator(assign, inputs: [0, 3], outputs: []),
      ])
    let initialization = ModelWriter.Subgraph(
      name: "initialization",
      tensors: [
        Tensor("handle", .resource, []),
        Tensor("ten", .float32, [2], constant: Array(bytesOf: [10, 10] as [Float])),
      ],
      inputs: [], outputs: [], operators: [handle, Operator(assign, inputs: [0, 1], outputs: [])])
    return ModelWriter(subgraphs: [main, initialization])
  }()

  private func run(_ interpreter: Interpreter) throws -> [Float] {
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.run()
    return try interpreter.output(at: 0)
  }

  @Test func variablesKeepTheirValueFromRunToRun() throws {
    let interpreter = try Interpreter(Model(bytes: Self.accumulator.bytes()))
    #expect(try run(interpreter) == [11, 12])
    #expect(try run(interpreter) == [12, 14])
    interpreter.resetState()
    #expect(try run(interpreter) == [11, 12])
  }

  @Test func interpretersDoNotShareThem() throws {
    let model = try Model(bytes: Self.accumulator.bytes())
    let first = try Interpreter(model)
    _ = try run(first)
    #expect(try run(Interpreter(model)) == [11, 12])
  }

  @Test func refusesToReadWhatWasNeverAssigned() throws {
    var model = Self.accumulator
    model.subgraphs[0].operators.removeFirst()
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    let error = #expect(throws: ModelError.self) { try interpreter.run() }
    #expect(error?.kind == .invalidData)
    #expect(error?.place?.operatorName == "READ_VARIABLE")
  }

  /// A resource tensor is a number, which a file or an input may forge.
  @Test(arguments: [-1, 0, 7, .max] as [Int32])
  func refusesNumbersThatNoHandleGave(number: Int32) throws {
    let model = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "READ_VARIABLE"), reading: [Tensor("handle", .resource, [])],
      writing: [Tensor("y", .float32, [2])])
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    try interpreter.setInput(at: 0, to: [number])
    #expect(throws: ModelError.self) { try interpreter.run() }
  }
}
