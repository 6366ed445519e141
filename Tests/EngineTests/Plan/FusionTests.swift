import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Fused steps, and results that are written in place, change no result.
@Suite struct FusionTests {
  private typealias Tensor = ModelWriter.Tensor

  /// The options of a CONV_2D without padding and with strides of 1.
  private static let convolution = ModelWriter.Options(
    tag: BuiltinOptionsTag.conv2D, [0: .int8(1), 1: .int32(1), 2: .int32(1)])

  /// The sums of 2×2 windows over an image of two rows and columns with zeros around it.
  private func paddedSums(alsoReturningPadded: Bool) throws -> Interpreter {
    let ones = [UInt8](bytesOf: [1, 1, 1, 1] as [Float])
    let tensors: [Tensor] = [
      Tensor("image", .float32, [1, 2, 2, 1]),
      Tensor(
        "paddings", .int32, [4, 2], constant: [UInt8](bytesOf: [0, 0, 1, 1, 1, 1, 0, 0] as [Int32])),
      Tensor("padded", .float32, [1, 4, 4, 1]),
      Tensor("weights", .float32, [1, 2, 2, 1], constant: ones),
      Tensor("bias", .float32, [1], constant: [UInt8](bytesOf: [0] as [Float])),
      Tensor("sums", .float32, [1, 3, 3, 1]),
    ]
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: alsoReturningPadded ? [5, 2] : [5],
        operators: [
          .init(OperatorCodeRecord(named: "PAD"), inputs: [0, 1], outputs: [2]),
          .init(
            OperatorCodeRecord(named: "CONV_2D"), inputs: [2, 3, 4], outputs: [5],
            options: Self.convolution),
        ])
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [1, 2, 3, 4] as [Float])
    try interpreter.run()
    return interpreter
  }

  @Test func aPadIsDoneByTheConvolutionThatReadsIt() throws {
    let interpreter = try paddedSums(alsoReturningPadded: false)
    #expect(try interpreter.output(at: 0, as: Float.self) == [1, 3, 2, 4, 10, 6, 3, 7, 4])
    #expect(interpreter.plan.nodes[0].execution == .fused(into: 1))
  }

  @Test func aPadThatSomebodyElseReadsIsDone() throws {
    let interpreter = try paddedSums(alsoReturningPadded: true)
    #expect(try interpreter.output(at: 0, as: Float.self) == [1, 3, 2, 4, 10, 6, 3, 7, 4])
    #expect(
      try interpreter.output(at: 1, as: Float.self)
        == [0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0])
  }

  /// A PAD in front of a hybrid layer is fused if it does not change the reference kernel's bits.
  ///
  /// Zeros do not change the range by which an image is quantized, but they change which elements
  /// are left over from groups of eight, and whether a NaN comes first.
  @Test(arguments: [("CONV_2D", 8), ("CONV_2D", 3), ("DEPTHWISE_CONV_2D", 8)])
  func aPadOfRoundedFloats(operation: String, channels: Int) throws {
    let isDepthwise = operation != "CONV_2D"
    let filters = isDepthwise ? channels : 5
    let shape = isDepthwise ? [1, 3, 3, channels] : [filters, 3, 3, channels]
    let weightCount = shape.reduce(1, *)
    let weights = (0..<weightCount).map { Int8($0 * 29 % 255 - 127) }
    let options = ModelWriter.Options(
      tag: isDepthwise ? BuiltinOptionsTag.depthwiseConv2D : BuiltinOptionsTag.conv2D,
      [0: .int8(1), 1: .int32(2), 2: .int32(2)])
    let paddings = [0, 0, 1, 2, 2, 1, 0, 0] as [Int32]
    let tensors: [Tensor] = [
      Tensor("image", .float32, [2, 4, 4, channels]),
      Tensor("paddings", .int32, [4, 2], constant: [UInt8](bytesOf: paddings)),
      Tensor("padded", .float32, [2, 7, 7, channels]),
      Tensor(
        "weights", .int8, shape, constant: [UInt8](bytesOf: weights),
        quantization: QuantizationRecord(
          scales: (1...filters).map { Float($0) / 1000 },
          zeroPoints: [Int](repeating: 0, count: filters), axis: isDepthwise ? 3 : 0)),
      Tensor(
        "bias", .float32, [filters],
        constant: [UInt8](bytesOf: (0..<filters).map { Float($0) / 3 })),
      Tensor("sums", .float32, [2, 3, 3, filters]),
    ]
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0], outputs: [5],
        operators: [
          .init(OperatorCodeRecord(named: "PAD"), inputs: [0, 1], outputs: [2]),
          .init(
            OperatorCodeRecord(named: operation), inputs: [2, 3, 4], outputs: [5],
            options: options),
        ])
    ])
    let model = try Model(bytes: writer.bytes())
    var image = (0..<32 * channels).map { (index: Int) -> Float in Float(index * 37 % 41 + 3) / 7 }
    image[16 * channels] = .nan
    let results = try [false, true].map { isReference in
      let interpreter = try Interpreter(model, options: .init(usesReferenceKernels: isReference))
      try interpreter.setInput(at: 0, to: image)
      try interpreter.run()
      if !isReference {
        #expect((interpreter.plan.nodes[0].execution == .fused(into: 1)) == (channels == 8))
      }
      return try interpreter.output(at: 0, as: Float.self).map(\.bitPattern)
    }
    #expect(results[0] == results[1])
  }

  /// a + b is clamped by ADD's own RELU_N1_TO_1 and then by RELU, in one step; NaN passes both.
  @Test func activationsAreDoneByWhatTheyFollow() throws {
    let tensors = ["a", "b", "sum", "positive"].map { Tensor($0, .float32, [4]) }
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0, 1], outputs: [3],
        operators: [
          .init(
            OperatorCodeRecord(named: "ADD"), inputs: [0, 1], outputs: [2],
            options: .init(tag: BuiltinOptionsTag.add, [0: .int8(2)])),
          .init(OperatorCodeRecord(named: "RELU"), inputs: [2], outputs: [3]),
        ])
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [-3, 0.25, 5, .nan] as [Float])
    try interpreter.setInput(at: 1, to: [1, 0.5, 1, 1] as [Float])
    try interpreter.run()
    let values = try interpreter.output(at: 0, as: Float.self)
    #expect(values.prefix(3) == [0, 0.75, 1])
    #expect(values[3].isNaN)
    #expect(interpreter.plan.nodes[0].execution == .fused(into: 1))
  }

  /// (-a) and (-b) are computed inside their concatenation, and -(-a) reads the first one there.
  @Test func joinedTensorsStayReadable() throws {
    let tensors: [Tensor] = [
      Tensor("a", .float32, [2]), Tensor("b", .float32, [1]), Tensor("-a", .float32, [2]),
      Tensor("-b", .float32, [1]), Tensor("join", .float32, [3]), Tensor("--a", .float32, [2]),
    ]
    let negation = OperatorCodeRecord(named: "NEG")
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: tensors, inputs: [0, 1], outputs: [4, 5],
        operators: [
          .init(negation, inputs: [0], outputs: [2]), .init(negation, inputs: [1], outputs: [3]),
          .init(OperatorCodeRecord(named: "CONCATENATION"), inputs: [2, 3], outputs: [4]),
          .init(negation, inputs: [2], outputs: [5]),
        ])
    ])
    let interpreter = try Interpreter(Model(bytes: writer.bytes()))
    try interpreter.setInput(at: 0, to: [1, 2] as [Float])
    try interpreter.setInput(at: 1, to: [3] as [Float])
    try interpreter.run()
    #expect(try interpreter.output(at: 0, as: Float.self) == [-1, -2, -3])
    #expect(try interpreter.output(at: 1, as: Float.self) == [1, 2])
    #expect(interpreter.plan.nodes[2].execution == .view)
  }

  /// A model of x · σ(x): tensor 1 is the logistic function of tensor 0, and tensor 2 is their
  /// product, whose operands have the order `operands`.
  private func timesItsLogistic(_ tensors: [Tensor], _ operands: [Int]) throws -> Model {
    let operators: [ModelWriter.Operator] = [
      .init(OperatorCodeRecord(named: "LOGISTIC"), inputs: [0], outputs: [1]),
      .init(
        OperatorCodeRecord(named: "MUL"), inputs: operands, outputs: [2],
        options: .init(tag: BuiltinOptionsTag.mul)),
    ]
    let writer = ModelWriter(subgraphs: [
      .init(tensors: tensors, inputs: [0], outputs: [2], operators: operators)
    ])
    return try Model(bytes: writer.bytes())
  }

  /// x · σ(x) of 8-bit numbers is one table lookup with the bits of two steps, for either operand
  /// order.
  @Test(arguments: [[0, 1], [1, 0]])
  func aProductWithAFunctionOfTheSameBytesIsLookedUp(operands: [Int]) throws {
    func tensor(_ name: String, scale: Float, zeroPoint: Int) -> Tensor {
      Tensor(
        name, .int8, [512], quantization: .init(scales: [scale], zeroPoints: [zeroPoint]))
    }
    let tensors = [
      tensor("x", scale: 0.07, zeroPoint: 11), tensor("squashed", scale: 1 / 256, zeroPoint: -128),
      tensor("product", scale: 0.05, zeroPoint: -100),
    ]
    let model = try timesItsLogistic(tensors, operands)
    let bytes = (0..<512).map { Int8(truncatingIfNeeded: $0) }
    let results = try [false, true].map { isReference in
      let interpreter = try Interpreter(model, options: .init(usesReferenceKernels: isReference))
      try interpreter.setInput(at: 0, to: bytes)
      try interpreter.run()
      if !isReference {
        #expect(interpreter.plan.nodes[0].execution == .fused(into: 1))
      }
      return try interpreter.output(at: 0, as: Int8.self)
    }
    #expect(results[0] == results[1])
    // 127 stands for 8.12, whose logistic function is nearly one.
    #expect(results[0][127] == 62)
  }

  /// x · σ(x) of floats is one step with the bits of two, for either operand order; infinity
  /// becomes the greatest finite number, as in a separate product.
  @Test(arguments: [[0, 1], [1, 0]], [Interpreter.Numerics.fast, .exact])
  func aProductWithItsOwnLogisticFunction(
    operands: [Int], numerics: Interpreter.Numerics
  ) throws {
    let tensors = ["x", "squashed", "product"].map { Tensor($0, .float32, [310]) }
    let model = try timesItsLogistic(tensors, operands)
    let special: [Float] = [.infinity, -.infinity, .nan, 3.4e38, -3.4e38, 0, -0, 16.7, -9, -8.5]
    let numbers = special + (0..<300).map { Float($0 * 37 % 300 - 150) / 7 }
    let results = try [false, true].map { runsNodesSeparately in
      var options = Interpreter.Options(numerics: numerics)
      options.runsNodesSeparately = runsNodesSeparately
      let interpreter = try Interpreter(model, options: options)
      try interpreter.setInput(at: 0, to: numbers)
      try interpreter.run()
      let isFused = interpreter.plan.nodes[0].execution == .fused(into: 1)
      #expect(isFused != runsNodesSeparately)
      return try interpreter.output(at: 0, as: Float.self)
    }
    #expect(results[0].map(\.description) == results[1].map(\.description))
    #expect(results[0][0] == .greatestFiniteMagnitude)
    #expect(results[0][1].isNaN && results[0][2].isNaN)
    #expect(results[0][7] == 16.7)
  }
}
