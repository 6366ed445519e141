import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Constants that a node passes to a subgraph are computed with once, unless the subgraph may get
/// other values.
@Suite struct ConstantInputTests {
  private typealias Tensor = ModelWriter.Tensor
  private typealias Operator = ModelWriter.Operator

  private static func constant(_ name: String, _ values: [Float]) -> Tensor {
    Tensor(name, .float32, [2, 2], constant: [UInt8](bytesOf: values))
  }

  private static let matrices: [[Float]] = [[1, 2, 3, 4], [5, 6, 7, 8]]
  private static let permutation = Tensor(
    "permutation", .int32, [2], constant: [UInt8](bytesOf: [1, 0] as [Int32]))

  private static func call(_ name: String, _ inputs: [Int], _ outputs: [Int]) -> Operator {
    Operator(OperatorCodeRecord(named: name), inputs: inputs, outputs: outputs)
  }

  private static func loop(_ inputs: [Int], _ outputs: [Int], body: Int32) -> Operator {
    Operator(
      OperatorCodeRecord(named: "WHILE"), inputs: inputs, outputs: outputs,
      options: .init(tag: BuiltinOptionsTag.while, [0: .int32(1), 1: .int32(body)]))
  }

  private static let variables = [
    Tensor("n", .float32, []), Tensor("sum", .float32, [2, 2]), Tensor("m", .float32, [2, 2]),
  ]

  /// `n < 3`.
  private static let condition = ModelWriter.Subgraph(
    name: "condition",
    tensors: variables + [
      Tensor("limit", .float32, [], constant: [UInt8](bytesOf: [3 as Float])),
      Tensor("goes on", .bool, []),
    ],
    inputs: [0, 1, 2], outputs: [4], operators: [call("LESS", [0, 3], [4])])

  /// `(n, sum, m) = (n + 1, sum + transpose(m), m)`, where the last result is any `matrix`.
  private static func body(matrix: Int = 2) -> ModelWriter.Subgraph {
    ModelWriter.Subgraph(
      name: "body",
      tensors: variables + [
        Tensor("one", .float32, [], constant: [UInt8](bytesOf: [1 as Float])), permutation,
        Tensor("n + 1", .float32, []), Tensor("transposed", .float32, [2, 2]),
        Tensor("sum + transposed", .float32, [2, 2]),
      ],
      inputs: [0, 1, 2], outputs: [5, 7, matrix],
      operators: [
        Operator(
          OperatorCodeRecord(named: "ADD"), inputs: [0, 3], outputs: [5],
          options: .init(tag: BuiltinOptionsTag.add)),
        call("TRANSPOSE", [2, 4], [6]),
        Operator(
          OperatorCodeRecord(named: "ADD"), inputs: [1, 6], outputs: [7],
          options: .init(tag: BuiltinOptionsTag.add)),
      ])
  }

  /// Runs the body three times on each of two matrices, which are constants.
  private static func model(
    bodies: [ModelWriter.Subgraph], secondMatrix: Int = 3
  ) -> ModelWriter {
    let results = ["n1", "sum1", "m1", "n2", "sum2", "m2"].enumerated().map { index, name in
      Tensor(name, .float32, index % 3 == 0 ? [] : [2, 2])
    }
    let main = ModelWriter.Subgraph(
      tensors: [
        Tensor("n", .float32, []), Tensor("sum", .float32, [2, 2]),
        constant("a", matrices[0]), constant("b", matrices[1]),
      ] + results,
      inputs: [0, 1], outputs: [5, 8],
      operators: [
        loop([0, 1, 2], [4, 5, 6], body: 2),
        loop([0, 1, secondMatrix], [7, 8, 9], body: Int32(bodies.count + 1)),
      ])
    return ModelWriter(subgraphs: [main, condition] + bodies)
  }

  private func results(
    _ model: ModelWriter, isReference: Bool = false
  ) throws -> [[Float]] {
    let interpreter = try Interpreter(
      Model(bytes: model.bytes()), options: .init(usesReferenceKernels: isReference))
    for _ in 0..<2 {
      try interpreter.setInput(at: 0, to: [0] as [Float])
      try interpreter.setInput(at: 1, to: [100, 100, 100, 100] as [Float])
      try interpreter.run()
    }
    return try (0..<2).map { try interpreter.output(at: $0) }
  }

  private static let threeTimesA: [Float] = [103, 109, 106, 112]
  private static let threeTimesB: [Float] = [115, 121, 118, 124]

  @Test(arguments: [false, true])
  func bodiesSeeTheirConstants(isReference: Bool) throws {
    let two = Self.model(bodies: [Self.body(), Self.body()])
    #expect(try results(two, isReference: isReference) == [Self.threeTimesA, Self.threeTimesB])
    // The same body for both, with different constants and with the same one.
    let one = Self.model(bodies: [Self.body()])
    #expect(try results(one, isReference: isReference) == [Self.threeTimesA, Self.threeTimesB])
    let same = Self.model(bodies: [Self.body()], secondMatrix: 2)
    #expect(try results(same, isReference: isReference) == [Self.threeTimesA, Self.threeTimesA])
  }

  /// A body that replaces the matrix by its sum gets a constant in its first iteration only:
  /// a = 100 + aᵀ, then aᵀ, and so on.
  @Test(arguments: [false, true])
  func variablesThatChangeAreNotConstant(isReference: Bool) throws {
    let model = Self.model(bodies: [Self.body(matrix: 7)])
    var expected: [[Float]] = []
    for matrix in Self.matrices {
      var (sum, m) = ([Float](repeating: 100, count: 4), matrix)
      for _ in 0..<3 {
        sum = zip(sum, [m[0], m[2], m[1], m[3]]).map { $0 + $1 }
        m = sum
      }
      expected.append(sum)
    }
    #expect(try results(model, isReference: isReference) == expected)
  }

  /// A subgraph that a signature names gets the program's inputs, whatever nodes pass to it.
  @Test func programsPassOtherInputsThanNodes() throws {
    var model = Self.model(bodies: [Self.body()], secondMatrix: 2)
    model.signatures = [
      SignatureRecord(
        key: "body", subgraphIndex: 2,
        inputs: Self.variables.enumerated().map { .init(name: $1.name, tensor: $0) },
        outputs: [.init(name: "next sum", tensor: 7)])
    ]
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    let body = try interpreter.signature("body")
    for _ in 0..<2 {
      try interpreter.setInput(at: 0, to: [0] as [Float])
      try interpreter.setInput(at: 1, to: [100, 100, 100, 100] as [Float])
      try interpreter.run()
      #expect(try interpreter.output(at: 0, as: Float.self) == Self.threeTimesA)
      let (sum, matrix) = (try #require(body.inputIndex(named: "sum")), body.inputIndex(named: "m"))
      try body.setInput(at: sum, to: [0, 0, 0, 0] as [Float])
      try body.setInput(at: try #require(matrix), to: [10, 20, 30, 40] as [Float])
      try body.run()
      let result: [Float] = try body.output(at: 1)
      #expect(result == [10, 30, 20, 40])
    }
  }

  /// The bodies' transpositions are computed while they are planned, unless their matrix varies.
  @Test(arguments: [(2, 3, 0), (1, 3, 6), (1, 2, 0)])
  func constantsAreFolded(bodies: Int, secondMatrix: Int, transpositions: Int) throws {
    let model = Self.model(
      bodies: .init(repeating: Self.body(), count: bodies), secondMatrix: secondMatrix)
    let interpreter = try Interpreter(Model(bytes: model.bytes()))
    var nodes: [Int] = []
    let timer = StepTimer(clock: { 0 }) { index, node in
      if node.operatorName == "TRANSPOSE" { nodes.append(index) }
    }
    interpreter.stepTimer = timer
    timer.start()
    try interpreter.setInput(at: 0, to: [0] as [Float])
    try interpreter.setInput(at: 1, to: [0, 0, 0, 0] as [Float])
    try interpreter.run()
    #expect(nodes.reduce(0) { $0 + timer.totals[$1].calls } == transpositions)
  }
}
