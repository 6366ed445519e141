import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Two slices that are concatenated around new rows run as one node, with the results of three.
@Suite struct ReplacedRowTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  private static func integers(_ name: String, _ values: [Int32]) -> Tensor {
    Tensor(name, .int32, [values.count], constant: [UInt8](bytesOf: values))
  }

  private static func join(_ inputs: [Int], _ output: Int) -> Operator {
    Operator(
      OperatorCodeRecord(named: "CONCATENATION"), inputs: inputs, outputs: [output],
      options: .init(tag: BuiltinOptionsTag.concatenation, [0: .int32(0)]))
  }

  private static func slice(_ inputs: [Int], _ output: Int) -> Operator {
    Operator(OperatorCodeRecord(named: "SLICE"), inputs: inputs, outputs: [output])
  }

  /// `x[..<front] + between + x[rest...]`, of rows of two numbers, with dynamic shapes.
  private static func model(frontBegin: [Int32] = [0, 0]) -> ModelWriter {
    func open(_ name: String) -> Tensor {
      var tensor = Tensor(name, .float32, [1, 2])
      tensor.shapeSignature = [-1, 2]
      return tensor
    }
    let tensors: [Tensor] = [
      Tensor("x", .float32, [4, 2]), Tensor("front", .int32, [1]), Tensor("rest", .int32, [1]),
      Tensor("between", .float32, [1, 2]), integers("all", [-1]), integers("first", [0]),
      integers("begin", frontBegin), integers("sizes", [-1, -1]), Tensor("front size", .int32, [2]),
      Tensor("rest begin", .int32, [2]), open("in front"), open("behind"), open("joined"),
    ]
    return ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0, 1, 2, 3], outputs: [12],
        operators: [
          join([1, 4], 8), slice([0, 6, 8], 10), join([2, 5], 9), slice([0, 9, 7], 11),
          join([10, 3, 11], 12),
        ])
    ])
  }

  private static func scalar(_ name: String, _ value: Int32) -> Tensor {
    Tensor(name, .int32, [], constant: [UInt8](bytesOf: [value]))
  }

  /// The same with one row, and begins and sizes as long as the row's rank says.
  ///
  /// `filled` is the tensor whose rank gives their length: 3 is the row.
  private static func modelWithComputedRank(filled: Int = 3) -> ModelWriter {
    let computed = [
      Tensor("between", .float32, [1, 2]), Tensor("rank", .int32, []), Tensor("count", .int32, [1]),
      Tensor("zeros", .int32, [1]), Tensor("minus ones", .int32, [1]),
      Tensor("front begin", .int32, [2]), Tensor("front size", .int32, [2]),
      Tensor("in front", .float32, [1, 2]), Tensor("rest begin", .int32, [2]),
      Tensor("rest size", .int32, [2]), Tensor("behind", .float32, [1, 2]),
      Tensor("joined", .float32, [1, 2]),
    ]
    let tensors: [Tensor] =
      [
        Tensor("x", .float32, [4, 2]), Tensor("front", .int32, [1]), Tensor("rest", .int32, [1]),
        Tensor("row", .float32, [2]), scalar("zero", 0), scalar("minus one", -1),
        integers("first", [0]), integers("all", [-1]),
      ] + computed
    func make(_ name: String, _ inputs: [Int], _ output: Int) -> Operator {
      Operator(OperatorCodeRecord(named: name), inputs: inputs, outputs: [output])
    }
    return ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0, 1, 2, 3], outputs: [19],
        operators: [
          make("EXPAND_DIMS", [3, 4], 8), make("RANK", [filled], 9),
          make("EXPAND_DIMS", [9, 4], 10), make("FILL", [10, 4], 11), make("FILL", [10, 5], 12),
          join([6, 11], 13), join([1, 12], 14), slice([0, 13, 14], 15), join([2, 11], 16),
          join([7, 12], 17), slice([0, 16, 17], 18), join([15, 8, 18], 19),
        ])
    ])
  }

  private static let x: [Float] = [1, 2, 3, 4, 5, 6, 7, 8]

  private func run(
    _ interpreter: Interpreter, front: Int32, rest: Int32
  ) throws -> (shape: Shape, values: [Float]) {
    try interpreter.setInput(at: 0, to: Self.x)
    try interpreter.setInput(at: 1, to: [front])
    try interpreter.setInput(at: 2, to: [rest])
    try interpreter.setInput(at: 3, to: [10, 20] as [Float])
    try interpreter.run()
    return (interpreter.outputs[0].shape, try interpreter.output(at: 0))
  }

  /// One interpreter gives the results of slicing a Swift array, also for SLICE's size of -1, which
  /// stands for all remaining rows.
  @Test func rowsAreReplacedAsTheSlicesSay() throws {
    for model in [Self.model(), Self.modelWithComputedRank()] {
      let interpreter = try Interpreter(Model(bytes: model.bytes()))
      try expectRowsReplaced(by: interpreter)
      let slices = interpreter.plan.nodes.filter { $0.operatorName == "SLICE" }
      let last = interpreter.plan.nodes.count - 1
      #expect(slices.count == 2 && slices.allSatisfy { $0.execution == .fused(into: last) })
    }
  }

  private func expectRowsReplaced(by interpreter: Interpreter) throws {
    for (front, rest) in [(0, 1), (2, 3), (3, 4), (-1, 0), (1, 1), (0, 4), (2, 3)] {
      let kept = front < 0 ? 4 : front
      let expected = Array(Self.x[..<(2 * kept)]) + [10, 20] + Array(Self.x[(2 * rest)...])
      let result = try run(interpreter, front: Int32(front), rest: Int32(rest))
      #expect(result.values == expected)
      #expect(result.shape.dimensions == [expected.count / 2, 2])
    }
  }

  @Test(arguments: [(5, 0), (-2, 0), (0, 5), (0, -1), (.max, .min)] as [(Int32, Int32)])
  func rowsThatAreNotThereAreRefused(front: Int32, rest: Int32) throws {
    for model in [Self.model(), Self.modelWithComputedRank()] {
      for isReference in [false, true] {
        let interpreter = try Interpreter(
          Model(bytes: model.bytes()), options: .init(usesReferenceKernels: isReference))
        #expect(throws: ModelError.self) { try run(interpreter, front: front, rest: rest) }
        // A refused run does not affect the next one.
        #expect(try run(interpreter, front: 1, rest: 4).values == [1, 2, 10, 20])
      }
    }
  }

  /// Begins and sizes with three numbers, the rank of `x` and one, are refused for two dimensions.
  @Test func beginsOfAnotherRankAreRefused() throws {
    for isReference in [false, true] {
      let interpreter = try Interpreter(
        Model(bytes: Self.modelWithComputedRank(filled: 0).bytes()),
        options: .init(usesReferenceKernels: isReference))
      #expect(throws: ModelError.self) { try run(interpreter, front: 1, rest: 2) }
    }
  }

  /// A front slice that does not begin at row 0 keeps its own result.
  @Test func otherSlicesStayAsTheyAre() throws {
    let interpreter = try Interpreter(Model(bytes: Self.model(frontBegin: [1, 0]).bytes()))
    #expect(try run(interpreter, front: 2, rest: 3).values == [3, 4, 5, 6, 10, 20, 7, 8])
  }
}
