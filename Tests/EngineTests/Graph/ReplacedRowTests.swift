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
    let interpreter = try Interpreter(Model(bytes: Self.model().bytes()))
    for (front, rest) in [(0, 1), (2, 3), (3, 4), (-1, 0), (1, 1), (0, 4), (2, 3)] {
      let kept = front < 0 ? 4 : front
      let expected = Array(Self.x[..<(2 * kept)]) + [10, 20] + Array(Self.x[(2 * rest)...])
      let result = try run(interpreter, front: Int32(front), rest: Int32(rest))
      #expect(result.values == expected)
      #expect(result.shape.dimensions == [expected.count / 2, 2])
    }
    #expect(interpreter.plan.nodes[0...3].allSatisfy { $0.execution == .fused(into: 4) })
  }

  @Test(arguments: [(5, 0), (-2, 0), (0, 5), (0, -1), (.max, .min)] as [(Int32, Int32)])
  func rowsThatAreNotThereAreRefused(front: Int32, rest: Int32) throws {
    for isReference in [false, true] {
      let interpreter = try Interpreter(
        Model(bytes: Self.model().bytes()), options: .init(usesReferenceKernels: isReference))
      #expect(throws: ModelError.self) { try run(interpreter, front: front, rest: rest) }
      // A refused run does not affect the next one.
      #expect(try run(interpreter, front: 1, rest: 4).values == [1, 2, 10, 20])
    }
  }

  /// A front slice that does not begin at row 0 keeps its own result.
  @Test func otherSlicesStayAsTheyAre() throws {
    let interpreter = try Interpreter(Model(bytes: Self.model(frontBegin: [1, 0]).bytes()))
    #expect(try run(interpreter, front: 2, rest: 3).values == [3, 4, 5, 6, 10, 20, 7, 8])
  }
}
