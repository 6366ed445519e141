import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ControlFlowTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  private static func constant(_ name: String, _ value: Int32) -> Tensor {
    Tensor(name, .int32, [], constant: Array(bytesOf: [value]))
  }

  private static let scalars = ["n", "a", "b"].map { Tensor($0, .int32, []) }

  /// `while n < limit { (n, a, b) = (n + 1, b, a) }`: the body swaps two of its operands.
  private func loop(limit: Int32) -> ModelWriter {
    let main = ModelWriter.Subgraph(
      tensors: Self.scalars + ["n'", "a'", "b'"].map { Tensor($0, .int32, []) },
      inputs: [0, 1, 2], outputs: [3, 4, 5],
      operators: [
        Operator(
          OperatorCodeRecord(named: "WHILE"), inputs: [0, 1, 2], outputs: [3, 4, 5],
          options: .init(tag: BuiltinOptionsTag.while, [0: .int32(1), 1: .int32(2)]))
      ])
    let condition = ModelWriter.Subgraph(
      name: "condition",
      tensors: Self.scalars + [Self.constant("limit", limit), Tensor("goes on", .bool, [])],
      inputs: [0, 1, 2], outputs: [4],
      operators: [Operator(OperatorCodeRecord(named: "LESS"), inputs: [0, 3], outputs: [4])])
    let body = ModelWriter.Subgraph(
      name: "body",
      tensors: Self.scalars + [Self.constant("one", 1), Tensor("next", .int32, [])],
      inputs: [0, 1, 2], outputs: [4, 2, 1],
      operators: [
        Operator(
          OperatorCodeRecord(named: "ADD"), inputs: [0, 3], outputs: [4],
          options: .init(tag: BuiltinOptionsTag.add))
      ])
    return ModelWriter(subgraphs: [main, condition, body])
  }

  @Test(arguments: [(0, [7, 8]), (1, [8, 7]), (2, [7, 8]), (5, [8, 7])] as [(Int32, [Int32])])
  func loopVariablesMayChangePlaces(limit: Int32, result: [Int32]) throws {
    let interpreter = try Interpreter(Model(bytes: loop(limit: limit).bytes()))
    for _ in 0..<2 {
      try interpreter.setInput(at: 1, to: [7] as [Int32])
      try interpreter.setInput(at: 2, to: [8] as [Int32])
      try interpreter.run()
      let outputs = try (0..<3).map { try interpreter.output(at: $0, as: Int32.self) }
      #expect(outputs == [[limit], [result[0]], [result[1]]])
    }
  }

  /// `while n < limit { body }`, over n, another variable and the limit.
  private func loop(over name: String, body: ([Tensor]) -> ModelWriter.Subgraph) -> ModelWriter {
    let variables = ["n", name, "limit"].map { Tensor($0, .int32, [1]) }
    let main = ModelWriter.Subgraph(
      tensors: variables + variables.map { Tensor($0.name + "'", .int32, [1]) },
      inputs: [0, 1, 2], outputs: [3, 4, 5],
      operators: [
        Operator(
          OperatorCodeRecord(named: "WHILE"), inputs: [0, 1, 2], outputs: [3, 4, 5],
          options: .init(tag: BuiltinOptionsTag.while, [0: .int32(1), 1: .int32(2)]))
      ])
    let condition = ModelWriter.Subgraph(
      name: "condition", tensors: variables + [Tensor("goes on", .bool, [1])],
      inputs: [0, 1, 2], outputs: [3],
      operators: [Operator(OperatorCodeRecord(named: "LESS"), inputs: [0, 2], outputs: [3])])
    return ModelWriter(subgraphs: [main, condition, body(variables)])
  }

  /// `(n, list, limit) = (n + 1, list + [n], limit)`: shapes change in every iteration.
  private var growingLoop: ModelWriter {
    loop(over: "list") { variables in
      ModelWriter.Subgraph(
        name: "body",
        tensors: variables + [
          Tensor("one", .int32, [1], constant: Array(bytesOf: [1 as Int32])),
          Tensor("next", .int32, [1]), Tensor("longer", .int32, [1]),
        ],
        inputs: [0, 1, 2], outputs: [4, 5, 2],
        operators: [
          Operator(
            OperatorCodeRecord(named: "ADD"), inputs: [0, 3], outputs: [4],
            options: .init(tag: BuiltinOptionsTag.add)),
          Operator(
            OperatorCodeRecord(named: "CONCATENATION"), inputs: [1, 0], outputs: [5],
            options: .init(tag: BuiltinOptionsTag.concatenation)),
        ])
    }
  }

  /// Plans of earlier iterations are reused in the next run, and only a limited number is kept.
  @Test(arguments: [false, true])
  func listsMayGrow(isReference: Bool) throws {
    let interpreter = try Interpreter(
      Model(bytes: growingLoop.bytes()), options: .init(usesReferenceKernels: isReference))
    var memory: [Int] = []
    for limit in [3, 3, 12, 1, 200, 7, 200, 200] as [Int32] {
      try interpreter.setInput(at: 0, to: [0] as [Int32])
      try interpreter.setInput(at: 1, to: [-5] as [Int32])
      try interpreter.setInput(at: 2, to: [limit])
      try interpreter.run()
      #expect(try interpreter.output(at: 1, as: Int32.self) == [-5] + Array(0..<limit))
      memory.append(interpreter.memoryInUse)
    }
    #expect(memory[7] == memory[6])
    #expect(memory[7] < 1 << 20)
  }

  /// `(n, total, limit) = (n + 1, total + 2 * sum(table[0..<n + 1]), limit)`: slices grow.
  private func cuttingLoop(of table: [Int32]) -> ModelWriter {
    func constant(_ name: String, _ values: [Int32]) -> Tensor {
      Tensor(name, .int32, [values.count], constant: Array(bytesOf: values))
    }
    return loop(over: "total") { variables in
      ModelWriter.Subgraph(
        name: "body",
        tensors: variables + [
          constant("one", [1]), constant("table", table), constant("begin", [0]),
          constant("axis", [0]), Tensor("next", .int32, [1]), Tensor("piece", .int32, [1]),
          Tensor("twice", .int32, [1]), Tensor("sum", .int32, [1]), Tensor("more", .int32, [1]),
        ],
        inputs: [0, 1, 2], outputs: [7, 11, 2],
        operators: [
          Operator(
            OperatorCodeRecord(named: "ADD"), inputs: [0, 3], outputs: [7],
            options: .init(tag: BuiltinOptionsTag.add)),
          Operator(OperatorCodeRecord(named: "SLICE"), inputs: [4, 5, 7], outputs: [8]),
          Operator(
            OperatorCodeRecord(named: "ADD"), inputs: [8, 8], outputs: [9],
            options: .init(tag: BuiltinOptionsTag.add)),
          Operator(
            OperatorCodeRecord(named: "SUM"), inputs: [9, 6], outputs: [10],
            options: .init(tag: BuiltinOptionsTag.reducer, [0: .bool(true)])),
          Operator(
            OperatorCodeRecord(named: "ADD"), inputs: [1, 10], outputs: [11],
            options: .init(tag: BuiltinOptionsTag.add)),
        ])
    }
  }

  /// Segments planned in earlier iterations are reused in the next run, and their number is
  /// limited; totals are checked against sums in Swift.
  @Test(arguments: [false, true], [nil, 1 << 17] as [Int?])
  func piecesMayGrow(isReference: Bool, memory: Int?) throws {
    let table = (0..<200).map { Int32($0 * $0 % 17 - 5) }
    var options = Interpreter.Options(usesReferenceKernels: isReference)
    if let memory { options.budget.bytes = memory }
    let interpreter = try Interpreter(
      Model(bytes: cuttingLoop(of: table).bytes()), options: options)
    var inUse: [Int] = []
    for limit in [3, 3, 12, 1, 200, 7, 200, 200] as [Int32] {
      try interpreter.setInput(at: 0, to: [0] as [Int32])
      try interpreter.setInput(at: 1, to: [4] as [Int32])
      try interpreter.setInput(at: 2, to: [limit])
      try interpreter.run()
      let expected = (0..<Int(limit)).reduce(4 as Int32) { total, round in
        total + 2 * table[0...round].reduce(0, +)
      }
      #expect(try interpreter.output(at: 1, as: Int32.self) == [expected])
      inUse.append(interpreter.memoryInUse)
    }
    #expect(inUse[7] <= inUse[6])
  }

  /// The counter wraps, so it is below the limit for four billion rounds.
  @Test func aLoopWithoutEndMeetsTheBudget() throws {
    let interpreter = try Interpreter(
      Model(bytes: loop(limit: .max).bytes()),
      options: .init(budget: RunBudget(multiplyAdds: 100_000_000)))
    let error = #expect(throws: ModelError.self) { try interpreter.run() }
    #expect(error?.kind == .overBudget)
    #expect(error?.place?.operatorName == "WHILE")
  }

  @Test func refusesSubgraphsThatDoNotFit() throws {
    var model = loop(limit: 1)
    model.subgraphs[2].outputs = [4, 2]
    let error = #expect(throws: ModelError.self) { try Model(bytes: model.bytes()) }
    #expect(error?.place?.operatorName == "WHILE" || error?.problems.count == 1)
    model.subgraphs[0].operators[0].options?.fields[1] = .int32(0)
    #expect(throws: ModelError.self) { try Model(bytes: model.bytes()) }
  }
}
