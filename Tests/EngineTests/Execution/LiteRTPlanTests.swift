import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Plans for `Numerics.litert`: what runs together keeps the bits of each node.
@Suite struct LiteRTPlanTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  private static func constant<Value: BitwiseCopyable>(
    _ name: String, _ type: TensorType, _ shape: [Int], _ values: [Value]
  ) -> Tensor {
    Tensor(name, type, shape, constant: [UInt8](bytesOf: values))
  }

  private static func operation(_ name: String, _ inputs: [Int], _ output: Int) -> Operator {
    Operator(OperatorCodeRecord(named: name), inputs: inputs, outputs: [output])
  }

  private static func run(
    _ tensors: [Tensor], _ operators: [Operator], on input: [Float], output: Int
  ) throws -> Interpreter {
    let writer = ModelWriter(subgraphs: [
      .init(tensors: tensors, inputs: [0], outputs: [output], operators: operators)
    ])
    let interpreter = try Interpreter(
      Model(bytes: writer.bytes()), options: .init(numerics: .litert(.avx2)))
    try interpreter.setInput(at: 0, to: input)
    try interpreter.run()
    return interpreter
  }

  /// RELU_0_TO_1, which XNNPACK does not have, keeps a subnormal number; MUL takes it as zero.
  @Test func aGroupTakesSubnormalsInOneWay() throws {
    let shape = [1, 1 << 17]
    let tiny = Float.leastNonzeroMagnitude * 64
    let tensors = [
      Tensor("x", .float32, shape), Self.constant("factor", .float32, [], [Float(0x1p120)]),
      Tensor("clamped", .float32, shape), Tensor("product", .float32, shape),
      Tensor("negated", .float32, shape),
    ]
    let interpreter = try Self.run(
      tensors,
      [
        Self.operation("RELU_0_TO_1", [0], 2), Self.operation("MUL", [2, 1], 3),
        Self.operation("NEG", [3], 4),
      ], on: Array(repeating: tiny, count: 1 << 17), output: 4)
    #expect(try interpreter.output(at: 0, as: Float.self).allSatisfy { $0 == 0 })
    // The other two are one group.
    let executions = interpreter.plan.nodes.map(\.execution)
    #expect(executions.last == .fusedGroup(to: 1), "\(executions)")
  }

  /// What is only copied keeps its bits, whichever treatment the nodes around it have.
  @Test func copiesKeepSubnormals() throws {
    let tiny = Float.leastNonzeroMagnitude * 64
    let interpreter = try Self.run(
      [
        Tensor("x", .float32, [1, 2]), Tensor("sine", .float32, [1, 2]),
        Tensor("joined", .float32, [1, 4]), Tensor("sign", .float32, [1, 4]),
      ],
      [
        Self.operation("SIN", [0], 1),
        Operator(
          OperatorCodeRecord(named: "CONCATENATION"), inputs: [1, 0], outputs: [2],
          options: .init(tag: BuiltinOptionsTag.concatenation, [0: .int32(1)])),
        Self.operation("SIGN", [2], 3),
      ], on: [tiny, -tiny], output: 3)
    #expect(try interpreter.output(at: 0, as: Float.self) == [0, 0, 1, -1])
  }

  /// Nodes between two TRANSPOSEs follow the stored order, with XNNPACK's bits.
  @Test func turnsVanish() throws {
    let interpreter = try Self.run(
      [
        Tensor("image", .float32, [1, 1, 2, 2]),
        Self.constant("channels first", .int32, [4], [0, 3, 1, 2] as [Int32]),
        Self.constant("channels last", .int32, [4], [0, 2, 3, 1] as [Int32]),
        Tensor("turned", .float32, [1, 2, 1, 2]), Tensor("negated", .float32, [1, 2, 1, 2]),
        Tensor("result", .float32, [1, 1, 2, 2]), Tensor("absolute", .float32, [1, 1, 2, 2]),
      ],
      [
        Self.operation("TRANSPOSE", [0, 1], 3), Self.operation("NEG", [3], 4),
        Self.operation("TRANSPOSE", [4, 2], 5), Self.operation("SIN", [5], 6),
      ], on: [0, -0.5, 1, 0.25], output: 6)
    let executions = interpreter.plan.nodes.map(\.execution)
    #expect(executions.filter { $0 == .view }.count == 2, "\(executions)")
    let apart = try Interpreter(
      interpreter.model, options: .init(numerics: .litert(.avx2), runsNodesSeparately: true))
    try apart.setInput(at: 0, to: [0, -0.5, 1, 0.25] as [Float])
    try apart.run()
    let bits = try [interpreter, apart].map {
      try $0.output(at: 0, as: Float.self).map(\.bitPattern)
    }
    #expect(bits[0] == bits[1])
    // Negated, zero has no sign.
    #expect(bits[0][0] == 0)
  }
}
