import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// One model, planned for several shapes and by several interpreters.
@Suite struct PlanTests {
  private typealias Tensor = ModelWriter.Tensor

  private static func floats(_ name: String, _ shape: [Int], _ values: [Float]) -> Tensor {
    Tensor(name, .float32, shape, constant: Array(bytesOf: values))
  }

  private static func run(
    _ interpreter: Interpreter, _ shape: Shape, _ values: [Float]
  ) throws -> [Float] {
    try interpreter.resizeInput(at: 0, to: shape)
    try interpreter.setInput(at: 0, to: values)
    try interpreter.run()
    return try interpreter.output(at: 0)
  }

  /// Four filters over two channels, which an input with four channels divides into two groups.
  private static let convolution = ModelWriter.singleOperator(
    OperatorCodeRecord(named: "CONV_2D"),
    reading: [
      Tensor("x", .float32, [1, 1, 1, 2], shapeSignature: [1, 1, 1, -1]),
      floats("w", [4, 1, 1, 2], [1, 2, 3, 4, 5, 6, 7, 8]), floats("b", [4], [0, 0, 0, 0]),
    ], writing: [Tensor("y", .float32, [1, 1, 1, 4])],
    options: .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1)]))

  /// Weights are packed for a number of groups, so one packing cannot serve both shapes.
  @Test(arguments: [false, true])
  func weightsArePackedForEveryShape(usesReferenceKernels: Bool) throws {
    let model = try Model(bytes: Self.convolution.bytes())
    let options = Interpreter.Options(usesReferenceKernels: usesReferenceKernels)
    let first = try Interpreter(model, options: options)
    let second = try Interpreter(model, options: options)
    for interpreter in [first, second, first] {
      let oneGroup = try Self.run(interpreter, [1, 1, 1, 2], [1, 10])
      #expect(oneGroup == [21, 43, 65, 87])
      let twoGroups = try Self.run(interpreter, [1, 1, 1, 4], [1, 10, 100, 1000])
      #expect(twoGroups == [21, 43, 6500, 8700])
    }
  }

  /// Weights are packed for every output size, because the padding decides which taps meet which
  /// pixels; the expected sums are written out.
  @Test func transposedConvolutionsArePackedForEveryShape() throws {
    let writer = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "TRANSPOSE_CONV"),
      reading: [
        Tensor("shape", .int32, [4]),
        Self.floats("w", [1, 3, 3, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        Tensor("x", .float32, [1, 1, 1, 1], shapeSignature: [1, -1, -1, 1]),
      ], writing: [Tensor("y", .float32, [1, 1, 1, 1], shapeSignature: [1, -1, -1, 1])],
      options: .init(
        tag: BuiltinOptionsTag.transposeConv, [0: .int8(0), 1: .int32(2), 2: .int32(2)]))
    let model = try Model(bytes: writer.bytes())
    func output(_ extent: Int32, of pixels: [Float], _ side: Int) throws -> [Float] {
      let interpreter = try Interpreter(model)
      try interpreter.resizeInput(at: 1, to: [1, side, side, 1])
      try interpreter.setInput(at: 0, to: [1, extent, extent, 1])
      try interpreter.setInput(at: 1, to: pixels)
      try interpreter.run()
      return try interpreter.output(at: 0)
    }
    // For 3 outputs, SAME pads one pixel on each side of the window; for 2, only one behind.
    for _ in 0..<2 {
      #expect(
        try output(3, of: [1, 0, 0, 0], 2) == [5, 6, 0, 8, 9, 0, 0, 0, 0])
      #expect(try output(2, of: [1], 1) == [1, 2, 4, 5])
    }
  }

  /// `transpose(transpose(constant) + transpose(x))`: tuned interpreters run no TRANSPOSE, and fold
  /// the constant in another order of axes.
  @Test(arguments: [[false, true], [true, false]])
  func foldedConstantsBelongToOneFormOfTheGraph(order: [Bool]) throws {
    let turn = Tensor("turn", .int32, [2], constant: Array(bytesOf: [1, 0] as [Int32]))
    let transpose = OperatorCodeRecord(named: "TRANSPOSE")
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: [
          Tensor("x", .float32, [2, 3]), Self.floats("c", [2, 3], [10, 20, 30, 40, 50, 60]), turn,
          Tensor("xT", .float32, [3, 2]), Tensor("cT", .float32, [3, 2]),
          Tensor("sum", .float32, [3, 2]), Tensor("y", .float32, [2, 3]),
        ], inputs: [0], outputs: [6],
        operators: [
          .init(transpose, inputs: [1, 2], outputs: [4]),
          .init(transpose, inputs: [0, 2], outputs: [3]),
          .init(
            OperatorCodeRecord(named: "ADD"), inputs: [4, 3], outputs: [5],
            options: .init(tag: BuiltinOptionsTag.add)),
          .init(transpose, inputs: [5, 2], outputs: [6]),
        ])
    ])
    let model = try Model(bytes: writer.bytes())
    for usesReferenceKernels in order {
      let interpreter = try Interpreter(
        model, options: .init(usesReferenceKernels: usesReferenceKernels))
      #expect(
        try Self.run(interpreter, [2, 3], [1, 2, 3, 4, 5, 6]) == [11, 22, 33, 44, 55, 66])
    }
  }

  /// `slice(x, from: row 1, shape(x) - (1, 0))`: tensors that depend only on shapes are folded.
  @Test func stepsAreMadeForWhatShapesDecide() throws {
    func integers(_ name: String, _ values: [Int32]) -> Tensor {
      Tensor(name, .int32, [values.count], constant: Array(bytesOf: values))
    }
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: [
          Tensor("x", .float32, [2, 2], shapeSignature: [-1, 2]), integers("one row", [1, 0]),
          Tensor("shape", .int32, [2]), Tensor("size", .int32, [2]),
          Tensor("y", .float32, [1, 2], shapeSignature: [-1, 2]),
        ], inputs: [0], outputs: [4],
        operators: [
          .init(
            OperatorCodeRecord(named: "SHAPE"), inputs: [0], outputs: [2],
            options: .init(tag: BuiltinOptionsTag.shape, [0: .int8(2)])),
          .init(
            OperatorCodeRecord(named: "SUB"), inputs: [2, 1], outputs: [3],
            options: .init(tag: BuiltinOptionsTag.sub)),
          .init(OperatorCodeRecord(named: "SLICE"), inputs: [0, 1, 3], outputs: [4]),
        ])
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    for rows in [2, 4, 3, 2] {
      let values = (0..<2 * rows).map(Float.init)
      #expect(try Self.run(interpreter, [rows, 2], values) == Array(values[2...]))
      let executions = interpreter.plan.nodes.map(\.execution)
      #expect(executions == [.folded, .folded, .kernel("strided copy")])
    }
  }

  /// The description shows how a node runs, its work and shapes, and where its result lies.
  @Test func descriptionsNameWhatRuns() throws {
    let interpreter = try Interpreter(Model(bytes: Self.convolution.bytes()))
    #expect(interpreter.plan.nodes.map(\.execution) == [.unplanned])
    try interpreter.allocate()
    let node = try #require(interpreter.plan.nodes.first)
    #expect(node.operatorName == "CONV_2D")
    #expect(node.multiplyAdds == 8)
    #expect(node.results.map(\.shape) == [[1, 1, 1, 4]])
    guard case .arena(let offset, 16) = node.results[0].place else {
      Issue.record("the result is not in the arena")
      return
    }
    #expect(offset + 16 <= interpreter.plan.arenaByteCount)
    #expect(interpreter.plan.segments.map(\.nodes) == [0..<1])

    let reference = try Interpreter(
      Model(bytes: Self.convolution.bytes()), options: .init(usesReferenceKernels: true))
    try reference.allocate()
    #expect(reference.plan.nodes.map(\.execution) == [.reference("as asked")])
  }

  /// Returns the bytes packed for `w · (w · x + b) + c`, whose biases may be one tensor.
  private static func packedByteCount(biases: [Int]) throws -> Int {
    let vectors = ["x", "first", "second"].map { Tensor($0, .float32, [1, 2]) }
    let constants = [
      floats("w", [2, 2], [1, 2, 3, 4]), floats("b", [2], [10, 20]), floats("c", [2], [0, 0]),
    ]
    let layers = biases.enumerated().map { index, bias in
      ModelWriter.Operator(
        OperatorCodeRecord(named: "FULLY_CONNECTED"), inputs: [index, 3, bias],
        outputs: [index + 1], options: .init(tag: BuiltinOptionsTag.fullyConnected))
    }
    let writer = ModelWriter(subgraphs: [
      .init(tensors: vectors + constants, inputs: [0], outputs: [biases.count], operators: layers)
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [1, 1] as [Float])
    try interpreter.run()
    let first: [Float] = [13, 27]
    let second: [Float] = biases == [4, 4] ? [77, 167] : [67, 147]
    #expect(try interpreter.output(at: 0, as: Float.self) == (biases.count == 1 ? first : second))
    return interpreter.plan.packedByteCount
  }

  @Test func nodesThatReadTheSameConstantsShareTheirPacking() throws {
    let once = try Self.packedByteCount(biases: [4])
    #expect(try Self.packedByteCount(biases: [4, 4]) == once)
    #expect(try Self.packedByteCount(biases: [4, 5]) > once)
  }

  /// Returns the bytes packed for layers that share one 8-bit matrix, which adds the first element
  /// to every element; the scale doubles in the second layer.
  private static func packedByteCountOfRows(layers: Int) throws -> Int {
    let size = 64
    func tensor(_ name: String, scale: Float) -> Tensor {
      Tensor(
        name, .int8, [1, size], quantization: QuantizationRecord(scales: [scale], zeroPoints: [0]))
    }
    var weights = tensor("w", scale: 1)
    weights.shape = [size, size]
    var sums = [UInt8](repeating: 0, count: size * size)
    for row in 0..<size {
      sums[row * size] += 1
      sums[row * size + row] += 1
    }
    weights.constant = sums
    let rows = (0...layers).map { tensor("row \($0)", scale: $0 < 2 ? 1 : 2) }
    let products = (0..<layers).map { index in
      ModelWriter.Operator(
        OperatorCodeRecord(named: "FULLY_CONNECTED", version: 4), inputs: [index, layers + 1, -1],
        outputs: [index + 1], options: .init(tag: BuiltinOptionsTag.fullyConnected))
    }
    let writer = ModelWriter(subgraphs: [
      .init(tensors: rows + [weights], inputs: [0], outputs: [layers], operators: products)
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    let steps = (0..<size).map { Int8($0 % 5) }
    try interpreter.setInput(at: 0, to: steps.map { $0 + 1 })
    try interpreter.run()
    // Halves are rounded away from zero.
    let expected: [Int8] = steps.map { layers == 1 ? $0 + 2 : ($0 + 5) / 2 }
    #expect(try interpreter.output(at: 0, as: Int8.self) == expected)
    return interpreter.plan.packedByteCount
  }

  @Test func rowsAtOtherScalesShareTheirWeights() throws {
    let once = try Self.packedByteCountOfRows(layers: 1)
    #expect(once >= 64 * 64)
    #expect(try Self.packedByteCountOfRows(layers: 2) - once < 64 * 64)
  }
}
