import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Tensors between TRANSPOSEs may be stored in another order, and results are still correct.
@Suite struct StoredOrderTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  private static let channelsFirst = constant("channels first", [0, 3, 1, 2])
  private static let channelsLast = constant("channels last", [0, 2, 3, 1])

  private static func constant(_ name: String, _ values: [Int32], shape: [Int]? = nil) -> Tensor {
    Tensor(name, .int32, shape ?? [values.count], constant: [UInt8](bytesOf: values))
  }

  private static func operation(
    _ name: String, _ inputs: [Int], _ output: Int, _ options: ModelWriter.Options? = nil
  ) -> Operator {
    Operator(OperatorCodeRecord(named: name), inputs: inputs, outputs: [output], options: options)
  }

  /// An image of one row, two columns and two channels: (1, 2), (3, 4).
  private func run(
    _ tensors: [Tensor], outputs: [Int], _ operators: [Operator]
  ) throws -> Interpreter {
    let image = Tensor("image", .float32, [1, 1, 2, 2])
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: [image, Self.channelsFirst, Self.channelsLast] + tensors, inputs: [0],
        outputs: outputs, operators: operators)
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [1, 2, 3, 4] as [Float])
    try interpreter.run()
    return interpreter
  }

  private func executions(_ interpreter: Interpreter) -> [PlanDescription.Execution] {
    interpreter.plan.nodes.map(\.execution)
  }

  /// PAD and CONCATENATION between two TRANSPOSEs run in the stored order; the values are computed
  /// by hand: each row of a channel gets a zero, and its negation follows.
  @Test func whatLiesBetweenTwoTurnsFollowsThem() throws {
    let paddings = Self.constant("paddings", [0, 0, 0, 0, 0, 0, 0, 1], shape: [4, 2])
    let interpreter = try run(
      [
        Tensor("turned", .float32, [1, 2, 1, 2]), paddings,
        Tensor("padded", .float32, [1, 2, 1, 3]), Tensor("negated", .float32, [1, 2, 1, 3]),
        Tensor("joined", .float32, [1, 4, 1, 3]), Tensor("result", .float32, [1, 1, 3, 4]),
      ], outputs: [8],
      [
        Self.operation("TRANSPOSE", [0, 1], 3), Self.operation("PAD", [3, 4], 5),
        Self.operation("NEG", [5], 6),
        Self.operation(
          "CONCATENATION", [5, 6], 7, .init(tag: BuiltinOptionsTag.concatenation, [0: .int32(-3)])),
        Self.operation("TRANSPOSE", [7, 2], 8),
      ])
    #expect(
      try interpreter.output(at: 0, as: Float.self) == [1, 2, -1, -2, 3, 4, -3, -4, 0, 0, 0, 0])
    #expect(interpreter.main.outputs[0].shape == [1, 1, 3, 4])
    #expect(executions(interpreter).first == .view)
  }

  /// The sum of a transposed image and its double, which both come from a TRANSPOSE, needs no copy.
  @Test func operandsOfOneOrderMeet() throws {
    let two = Tensor("two", .float32, [], constant: [UInt8](bytesOf: [2] as [Float]))
    let interpreter = try run(
      [
        Tensor("turned", .float32, [1, 2, 1, 2]), two, Tensor("double", .float32, [1, 2, 1, 2]),
        Tensor("turned too", .float32, [1, 2, 1, 2]), Tensor("sum", .float32, [1, 2, 1, 2]),
        Tensor("result", .float32, [1, 1, 2, 2]), Tensor("negated", .float32, [1, 1, 2, 2]),
      ], outputs: [9],
      [
        Self.operation("TRANSPOSE", [0, 1], 3), Self.operation("MUL", [3, 4], 5),
        Self.operation("TRANSPOSE", [0, 1], 6), Self.operation("ADD", [5, 6], 7),
        Self.operation("TRANSPOSE", [7, 2], 8), Self.operation("NEG", [8], 9),
      ])
    #expect(try interpreter.output(at: 0, as: Float.self) == [-3, -6, -9, -12])
    #expect(executions(interpreter).filter { $0 == .view }.count == 3)
  }

  /// A graph output between TRANSPOSEs has the order of its shape, and a factor for each channel is
  /// applied along the right axis.
  @Test func whoeverCaresForTheOrderGetsIt() throws {
    let factors = Tensor(
      "factors", .float32, [2, 1, 1], constant: [UInt8](bytesOf: [10, 100] as [Float]))
    let tensors = [
      Tensor("turned", .float32, [1, 2, 1, 2]), factors, Tensor("scaled", .float32, [1, 2, 1, 2]),
      Tensor("negated", .float32, [1, 2, 1, 2]), Tensor("result", .float32, [1, 1, 2, 2]),
    ]
    let operators = [
      Self.operation("TRANSPOSE", [0, 1], 3), Self.operation("MUL", [3, 4], 5),
      Self.operation("NEG", [5], 6), Self.operation("TRANSPOSE", [6, 2], 7),
    ]
    let scaled = try run(tensors, outputs: [7], operators)
    #expect(try scaled.output(at: 0, as: Float.self) == [-10, -200, -30, -400])
    let interpreter = try run(tensors, outputs: [6, 7, 3], operators)
    #expect(try interpreter.output(at: 0, as: Float.self) == [-10, -30, -200, -400])
    #expect(try interpreter.output(at: 1, as: Float.self) == [-10, -200, -30, -400])
    #expect(try interpreter.output(at: 2, as: Float.self) == [1, 3, 2, 4])
  }

  /// Two TRANSPOSEs that do not undo each other are combined into one.
  @Test func anotherTurnComesOutOfTheStoredOrder() throws {
    let reversed = Self.constant("reversed", [3, 2, 1, 0])
    let interpreter = try run(
      [
        Tensor("turned", .float32, [1, 2, 1, 2]), Tensor("negated", .float32, [1, 2, 1, 2]),
        reversed, Tensor("result", .float32, [2, 1, 2, 1]), Tensor("last", .float32, [1, 1, 2, 2]),
      ], outputs: [6, 7],
      [
        Self.operation("TRANSPOSE", [0, 1], 3), Self.operation("NEG", [3], 4),
        Self.operation("TRANSPOSE", [4, 5], 6), Self.operation("TRANSPOSE", [4, 2], 7),
      ])
    #expect(try interpreter.output(at: 0, as: Float.self) == [-1, -2, -3, -4])
    #expect(try interpreter.output(at: 1, as: Float.self) == [-1, -2, -3, -4])
    #expect(interpreter.main.outputs[0].shape == [2, 1, 2, 1])
  }

  @Test func turnsOfAnotherRankAreRefused() throws {
    let threeAxes = Self.constant("three axes", [0, 2, 1])
    #expect(throws: ModelError.self) {
      try run(
        [
          threeAxes, Tensor("turned", .float32, [1, 2, 1, 2]),
          Tensor("negated", .float32, [1, 2, 1, 2]), Tensor("result", .float32, [1, 1, 2, 2]),
        ], outputs: [6],
        [
          Self.operation("TRANSPOSE", [0, 3], 4), Self.operation("NEG", [4], 5),
          Self.operation("TRANSPOSE", [5, 3], 6),
        ])
    }
  }

  /// A tensor that ASSIGN_VARIABLE reads is computed: its node is not fused into another reader,
  /// although the assignment has no results.
  @Test func whatIsAssignedIsMade() throws {
    let assigned = Operator(
      OperatorCodeRecord(named: "ASSIGN_VARIABLE"), inputs: [3, 5], outputs: [])
    let interpreter = try run(
      [
        Tensor("handle", .resource, []), Tensor("turned", .float32, [1, 2, 1, 2]),
        Tensor("sum", .float32, [1, 2, 1, 2]), Tensor("positive", .float32, [1, 2, 1, 2]),
        Tensor("result", .float32, [1, 1, 2, 2]), Tensor("kept", .float32, [1, 2, 1, 2]),
      ], outputs: [7, 8],
      [
        Operator(
          OperatorCodeRecord(named: "VAR_HANDLE"), inputs: [], outputs: [3],
          options: .init(tag: BuiltinOptionsTag.varHandle, [1: .string("v")])),
        Self.operation("TRANSPOSE", [0, 1], 4),
        Self.operation("ADD", [4, 4], 5, .init(tag: BuiltinOptionsTag.add)),
        Self.operation("RELU", [5], 6), Self.operation("TRANSPOSE", [6, 2], 7), assigned,
        Self.operation("READ_VARIABLE", [3], 8),
      ])
    #expect(try interpreter.output(at: 0, as: Float.self) == [2, 4, 6, 8])
    #expect(try interpreter.output(at: 1, as: Float.self) == [2, 6, 4, 8])
  }

  /// Orders are recognised by their effect on memory, ignoring axes of one element.
  @Test func ordersAreKnownByWhatTheyDo() throws {
    func order(_ axes: [Int], of dimensions: [Int]) throws -> StoredElements.Order {
      .init(of: dimensions, lyingIn: try #require(AxisOrder(axes)))
    }
    #expect(try order([0, 2, 3, 1], of: [1, 3, 4, 5]) == .columns(3))
    #expect(try order([0, 3, 1, 2], of: [1, 4, 5, 3]) == .columns(20))
    #expect(try order([2, 3, 0, 1], of: [2, 3, 4, 5]) == .columns(6))
    // The second axis moves only past axes of one element.
    #expect(try order([0, 2, 3, 1], of: [1, 3, 1, 1]) == .file)
    #expect(try order([1, 0], of: [1, 9]) == .file)
    // Every batch would be a separate matrix.
    #expect(try order([0, 2, 3, 1], of: [2, 3, 4, 5]) == .other)
    #expect(try order([2, 1, 0], of: [2, 3, 4]) == .other)
  }
}
