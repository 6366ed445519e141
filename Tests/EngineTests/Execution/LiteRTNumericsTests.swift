import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// `Numerics.litert`, checked against sums and roundings that are written out here, as the page
/// "LiteRT's default numerics" describes them.
@Suite struct LiteRTNumericsTests {
  private static func quantization(
    _ scales: [Float], _ zeroPoint: Int = 0, axis: Int = 0
  ) -> QuantizationRecord {
    QuantizationRecord(
      scales: scales, zeroPoints: scales.map { _ in zeroPoint }, axis: axis)
  }

  private static func model(
    _ name: String, reading: [ModelWriter.Tensor], writing: ModelWriter.Tensor,
    _ options: ModelWriter.Options? = nil
  ) throws -> Model {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: name) ?? BuiltinOperator.custom, version: 1)
    return try Model(
      bytes: ModelWriter.singleOperator(
        code, reading: reading, writing: [writing], options: options
      )
      .bytes())
  }

  private static func run<Input: TensorElement, Output: TensorElement>(
    _ model: Model, on inputs: [[Input]], as _: Output.Type, isReference: Bool = false
  ) throws -> [Output] {
    let interpreter = try Interpreter(
      model, options: .init(usesReferenceKernels: isReference, numerics: .litert(.avx2)))
    for (index, input) in inputs.enumerated() { try interpreter.setInput(at: index, to: input) }
    try interpreter.run()
    return try interpreter.output(at: 0)
  }

  private static func bytes(_ count: Int, _ seed: UInt64) -> [Int8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Int8.random(in: .min ... .max, using: &random) }
  }

  // MARK: Bytes

  @Test(arguments: [false, true]) func sumsOfBytesAreScaledOnce(isReference: Bool) throws {
    let (rows, depth, columns) = (37, 21, 19)
    let (input, weights) = (Self.bytes(rows * depth, 1), Self.bytes(columns * depth, 2))
    let bias = (0..<columns).map { Int32($0 * 100 - 900) }
    let scales = (0..<columns).map { 0.001 + Float($0) * 0.0007 }
    let (inputScale, outputScale): (Float, Float) = (0.37, 1.3)
    let model = try Self.model(
      "FULLY_CONNECTED",
      reading: [
        .init("x", .int8, [rows, depth], quantization: Self.quantization([inputScale], 3)),
        .init(
          "w", .int8, [columns, depth], constant: [UInt8](bytesOf: weights),
          quantization: Self.quantization(scales)),
        .init(
          "b", .int32, [columns], constant: [UInt8](bytesOf: bias),
          quantization: Self.quantization(scales.map { $0 * inputScale })),
      ],
      writing: .init(
        "y", .int8, [rows, columns], quantization: Self.quantization([outputScale], -5)),
      .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)]))
    let expected = (0..<rows * columns).map { index -> Int8 in
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let sum = (0..<depth).reduce(bias[column]) {
        $0 + (Int32(input[row * depth + $1]) - 3) * Int32(weights[column * depth + $1])
      }
      let steps = Float(sum) * (inputScale * scales[column] / outputScale)
      return Int8(clamping: Int(steps.rounded(.toNearestOrEven)) - 5)
    }
    #expect(try Self.run(model, on: [input], as: Int8.self, isReference: isReference) == expected)
  }

  @Test(arguments: [("ADD", 1), ("SUB", -1)]) func sumsOfTwoBytes(name: String, sign: Int) throws {
    let (a, b) = (Self.bytes(4099, 3), Self.bytes(4099, 4))
    let scales: (Float, Float, Float) = (0.021, 0.0173, 0.031)
    let model = try Self.model(
      name,
      reading: [
        .init("a", .int8, [4099], quantization: Self.quantization([scales.0], 7)),
        .init("b", .int8, [4099], quantization: Self.quantization([scales.1], -9)),
      ], writing: .init("y", .int8, [4099], quantization: Self.quantization([scales.2], 2)))
    // The greater ratio is below one: 21 fractional bits.
    let factor = Int((scales.0 / scales.2 * 0x1p21).rounded(.toNearestOrEven))
    let other = sign * Int((scales.1 / scales.2 * 0x1p21).rounded(.toNearestOrEven))
    let expected = zip(a, b).map { a, b -> Int8 in
      let sum: Int = (Int(a) - 7) * factor + (Int(b) + 9) * other
      return Int8(clamping: (sum + 1 << 20) >> 21 + 2)
    }
    for isReference in [false, true] {
      #expect(
        try Self.run(model, on: [a, b], as: Int8.self, isReference: isReference) == expected)
    }
  }

  @Test func productsOfTwoBytes() throws {
    let (a, b) = (Self.bytes(4099, 5), Self.bytes(4099, 6))
    let scales: (Float, Float, Float) = (0.021, 0.0173, 0.04)
    let model = try Self.model(
      "MUL",
      reading: [
        .init("a", .int8, [4099], quantization: Self.quantization([scales.0], 7)),
        .init("b", .int8, [4099], quantization: Self.quantization([scales.1], -9)),
      ], writing: .init("y", .int8, [4099], quantization: Self.quantization([scales.2], 2)))
    let expected = zip(a, b).map { a, b in
      let steps = Float((Int(a) - 7) * (Int(b) + 9)) * (scales.0 * scales.1 / scales.2)
      return Int8(clamping: Int(steps.rounded(.toNearestOrEven)) + 2)
    }
    #expect(try Self.run(model, on: [a, b], as: Int8.self) == expected)
  }

  // MARK: Floats

  @Test(arguments: [false, true]) func floatSumsBeginWithTheBias(isReference: Bool) throws {
    let (rows, depth, columns) = (23, 45, 37)
    var random = SeededGenerator(seed: 8)
    let (input, weights) = (random.floats(rows * depth), random.floats(columns * depth))
    let bias = random.floats(columns)
    let model = try Self.model(
      "FULLY_CONNECTED",
      reading: [
        .init("x", .float32, [rows, depth]),
        .init("w", .float32, [columns, depth], constant: [UInt8](bytesOf: weights)),
        .init("b", .float32, [columns], constant: [UInt8](bytesOf: bias)),
      ], writing: .init("y", .float32, [rows, columns]),
      .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)]))
    let expected = (0..<rows * columns).map { index -> Float in
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      return (0..<depth).reduce(bias[column]) {
        $0.addingProduct(input[row * depth + $1], weights[column * depth + $1])
      }
    }
    #expect(try Self.run(model, on: [input], as: Float.self, isReference: isReference) == expected)
  }

  @Test(arguments: [false, true]) func depthwiseWindowsAreFollowedByColumns(
    isReference: Bool
  ) throws {
    let (height, width, channels) = (9, 14, 21)
    var random = SeededGenerator(seed: 9)
    let (input, weights) = (random.floats(height * width * channels), random.floats(9 * channels))
    let bias = random.floats(channels)
    let model = try Self.model(
      "DEPTHWISE_CONV_2D",
      reading: [
        .init("x", .float32, [1, height, width, channels]),
        .init("w", .float32, [1, 3, 3, channels], constant: [UInt8](bytesOf: weights)),
        .init("b", .float32, [channels], constant: [UInt8](bytesOf: bias)),
      ], writing: .init("y", .float32, [1, height, width, channels]),
      .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [0: .int8(0), 1: .int32(1), 2: .int32(1), 3: .int32(1)]))
    var expected: [Float] = []
    for row in 0..<height {
      for column in 0..<width {
        for channel in 0..<channels {
          var sum = bias[channel]
          for x in 0..<3 where (0..<width).contains(column + x - 1) {
            for y in 0..<3 where (0..<height).contains(row + y - 1) {
              let pixel = (row + y - 1) * width + column + x - 1
              sum.addProduct(
                input[pixel * channels + channel], weights[(y * 3 + x) * channels + channel])
            }
          }
          expected.append(sum)
        }
      }
    }
    #expect(try Self.run(model, on: [input], as: Float.self, isReference: isReference) == expected)
  }

  // MARK: The partition

  @Test func theDelegateAsksForTypesAndConstants() throws {
    let one = Self.quantization([0.1])
    func refusal(_ name: String, _ type: TensorType, _ record: QuantizationRecord?) throws
      -> String?
    {
      let model = try Self.model(
        name, reading: [.init("x", type, [1, 4], quantization: record)],
        writing: .init("y", type, [1, 4], quantization: record))
      let subgraph = try #require(model.graph.subgraphs[0])
      return XNNPACKPartition(of: subgraph).refusals[0]?.reason
    }
    #expect(try refusal("ABS", .float32, nil) == nil)
    #expect(try refusal("TANH", .int8, one) == nil)
    #expect(try refusal("ABS", .int8, one) == "'x' (tensor 0) is int8")
    #expect(try refusal("SIGN", .float32, nil) == "the delegate has no SIGN")
  }

  /// An interpreter of other numerics finds none of the weights that this one has packed.
  @Test func interpretersOfOneModelDoNotMeet() throws {
    var random = SeededGenerator(seed: 10)
    let weights = random.floats(40)
    let model = try Self.model(
      "FULLY_CONNECTED",
      reading: [
        .init("x", .float32, [1, 8]),
        .init("w", .float32, [5, 8], constant: [UInt8](bytesOf: weights)),
      ], writing: .init("y", .float32, [1, 5]),
      .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)]))
    let input = random.floats(8)
    let alone = try Self.run(model, on: [input], as: Float.self)
    let exact = try Interpreter(model, options: .init(numerics: .exact))
    try exact.setInput(at: 0, to: input)
    try exact.run()
    #expect(try Self.run(model, on: [input], as: Float.self) == alone)
  }
}
