import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// What XNNPACK computes on 64-bit Arm otherwise than on x86, written out here as the page "LiteRT's
/// default numerics" describes it.
@Suite struct LiteRTOnArmTests {
  private static func quantization(_ scale: Float, _ zeroPoint: Int) -> QuantizationRecord {
    QuantizationRecord(scales: [scale], zeroPoints: [zeroPoint])
  }

  private static func run<Input: TensorElement, Output: TensorElement>(
    _ name: String, _ operands: [ModelWriter.Tensor], to output: ModelWriter.Tensor,
    _ options: ModelWriter.Options?, on inputs: [[Input]], as _: Output.Type,
    isReference: Bool = false
  ) throws -> [Output] {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: name) ?? BuiltinOperator.custom, version: 1)
    let file = ModelWriter.singleOperator(
      code, reading: operands, writing: [output], options: options)
    let interpreter = try Interpreter(
      Model(bytes: file.bytes()),
      options: .init(usesReferenceKernels: isReference, numerics: .litert(.neon)))
    for (index, input) in inputs.enumerated() { try interpreter.setInput(at: index, to: input) }
    try interpreter.run()
    return try interpreter.output(at: 0)
  }

  private static func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// The exact product with a factor, rounded half up.
  private static func steps(_ sum: Int, _ factor: Float) -> Int {
    let significand = Int(factor.significand * 0x1p23)
    let places = 23 - Int(factor.exponent)
    return (sum * significand + 1 << (places - 1)) >> places
  }

  /// Many sums are ties with a scale that is a power of two, and none with the other.
  @Test(arguments: [Float(0.004_321), 0x1p-7], [false, true])
  func sumsOfUnsignedBytesAreRoundedHalfUp(scale: Float, isReference: Bool) throws {
    let (rows, depth, columns) = (37, 21, 19)
    let (input, weights) = (Self.bytes(rows * depth, 1), Self.bytes(columns * depth, 2))
    let bias = (0..<columns).map { Int32($0 * 1000 - 9000) }
    let results = try Self.run(
      "FULLY_CONNECTED",
      [
        .init("x", .uint8, [rows, depth], quantization: Self.quantization(0.5, 119)),
        .init(
          "w", .uint8, [columns, depth], constant: weights,
          quantization: Self.quantization(scale, 131)),
        .init(
          "b", .int32, [columns], constant: [UInt8](bytesOf: bias),
          quantization: Self.quantization(0.5 * scale, 0)),
      ], to: .init("y", .uint8, [rows, columns], quantization: Self.quantization(1, 100)),
      .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)]), on: [input], as: UInt8.self,
      isReference: isReference)
    let expected = (0..<rows * columns).map { index -> UInt8 in
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let sum = (0..<depth).reduce(Int(bias[column])) {
        $0 + (Int(input[row * depth + $1]) - 119) * (Int(weights[column * depth + $1]) - 131)
      }
      return UInt8(clamping: Self.steps(sum, 0.5 * scale) + 100)
    }
    #expect(results == expected)
  }

  @Test(arguments: [Float(0.021), 0x1p-5]) func productsOfTwoBytesAreRoundedHalfUp(
    scale: Float
  ) throws {
    let (a, b) = (Self.bytes(4099, 5), Self.bytes(4099, 6))
    let results = try Self.run(
      "MUL",
      [
        .init("a", .uint8, [4099], quantization: Self.quantization(scale, 107)),
        .init("b", .uint8, [4099], quantization: Self.quantization(0.25, 91)),
      ], to: .init("y", .uint8, [4099], quantization: Self.quantization(0.5, 102)), nil,
      on: [a, b], as: UInt8.self)
    let expected = zip(a, b).map { a, b in
      let product = (Int(a) - 107) * (Int(b) - 91)
      return UInt8(clamping: Self.steps(product, scale * 0.25 / 0.5) + 102)
    }
    #expect(results == expected)
  }

  /// Windows of more than nine taps have a chain of the taps at even places, which begins with the
  /// bias, and one of those at odd places.
  @Test(arguments: [(5, 5), (3, 4), (3, 3), (7, 5)], [false, true])
  func greatDepthwiseWindowsHaveTwoChains(window: (Int, Int), isReference: Bool) throws {
    let (height, width, channels) = (9, 14, 21)
    let (rows, columns) = window
    var random = SeededGenerator(seed: 9)
    let input = random.floats(height * width * channels)
    let weights = random.floats(rows * columns * channels)
    let bias = random.floats(channels)
    let results = try Self.run(
      "DEPTHWISE_CONV_2D",
      [
        .init("x", .float32, [1, height, width, channels]),
        .init("w", .float32, [1, rows, columns, channels], constant: [UInt8](bytesOf: weights)),
        .init("b", .float32, [channels], constant: [UInt8](bytesOf: bias)),
      ], to: .init("y", .float32, [1, height, width, channels]),
      .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [0: .int8(0), 1: .int32(1), 2: .int32(1), 3: .int32(1)]), on: [input], as: Float.self,
      isReference: isReference)
    let (top, left) = ((rows - 1) / 2, (columns - 1) / 2)
    let taps = rows * columns
    // More than 25 taps are a matrix product, whose order is row by row.
    let places =
      taps > 25
      ? (0..<taps).map { $0.quotientAndRemainder(dividingBy: columns) }
      : (0..<taps).map { ($0 % rows, $0 / rows) }
    for index in results.indices {
      let (pixel, channel) = index.quotientAndRemainder(dividingBy: channels)
      var chains = [bias[channel], 0]
      for (place, (y, x)) in places.enumerated() {
        let (row, column) = (pixel / width + y - top, pixel % width + x - left)
        guard (0..<height).contains(row), (0..<width).contains(column) else { continue }
        let chain = taps > 9 && taps <= 25 ? place % 2 : 0
        chains[chain].addProduct(
          input[(row * width + column) * channels + channel],
          weights[(y * columns + x) * channels + channel])
      }
      #expect(results[index] == chains[0] + chains[1], "\(index)")
    }
  }

  /// Four sums of four lanes; of the rest, a pair comes before the last lanes are added.
  @Test func meansAreSumsOfFourLanes() throws {
    var random = SeededGenerator(seed: 11)
    for count in [1, 2, 3, 7, 16, 31, 77, 128, 203] {
      let row = random.floats(count)
      var lanes = Array(repeating: Float(0), count: 16)
      let whole = count / 16 * 16
      for index in 0..<whole { lanes[index % 16] += row[index] }
      let vectors = (count - whole) / 4 * 4
      for index in 0..<vectors { lanes[index] += row[whole + index] }
      let sums = (0..<4).map { (lane: Int) -> Float in
        let (even, odd) = (lanes[lane] + lanes[lane + 8], lanes[lane + 4] + lanes[lane + 12])
        return even + odd
      }
      var pair = [sums[0] + sums[2], sums[1] + sums[3]]
      let rest = Array(row[(whole + vectors)...])
      if rest.count >= 2 { pair = [pair[0] + rest[0], pair[1] + rest[1]] }
      var sum = pair[0] + pair[1]
      if let last = rest.last, rest.count % 2 == 1 { sum += last }
      let mean = try Self.run(
        "MEAN",
        [
          .init("x", .float32, [1, count]),
          .init("axes", .int32, [1], constant: [UInt8](bytesOf: [Int32(1)])),
        ], to: .init("y", .float32, [1]), nil, on: [row], as: Float.self)
      #expect(mean == [sum * (1 / Float(count))], "\(count)")
    }
  }
}
