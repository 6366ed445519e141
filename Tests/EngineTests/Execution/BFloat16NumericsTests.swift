import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusTestSupport
import Testing

/// `Numerics.bfloat16`, checked to the bit against the rules that the page "Bfloat16 numerics"
/// states, on every instruction set.
@Suite struct BFloat16NumericsTests {
  /// Every table, with one and two threads, and without anything that is fused.
  private static let ways: [Interpreter.Options] = KernelTable.available.map(\.name).flatMap {
    [
      .init(numerics: .bfloat16, instructionSet: $0),
      .init(threads: 2, numerics: .bfloat16, instructionSet: $0),
      .init(numerics: .bfloat16, instructionSet: $0, runsNodesSeparately: true),
    ]
  }

  private static func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return random.floats(count)
  }

  /// Runs an operator in all ways, and expects the same bits.
  private static func check(
    _ name: String, _ operands: [TestTensor], _ options: ModelWriter.Options,
    version: Int = 1, expecting expected: [Float]
  ) throws {
    for way in ways {
      let (_, values) = try run(
        name, operands, version: version, options: options, running: way, as: Float.self)
      #expect(
        values.map(\.bitPattern) == expected.map(\.bitPattern),
        "\(way.instructionSet ?? ""), \(way.threads) threads")
    }
  }

  @Test(arguments: [1, 9]) func fullyConnectedLayers(rows: Int) throws {
    let (depth, columns) = (133, 70)
    let (x, w) = (Self.numbers(rows * depth, 1), Self.numbers(columns * depth, 2))
    let bias = Self.numbers(columns, 3)
    let (input, filter) = (x.map(BFloat16Arithmetic.rounded), w.map(BFloat16Arithmetic.rounded))
    let expected = (0..<rows * columns).map { index in
      let (row, column) = (index / columns, index % columns)
      let sum = BFloat16Arithmetic.sum(of: depth, inRunsOf: depth) {
        (input[row * depth + $0], filter[column * depth + $0])
      }
      return max(sum + bias[column], 0)
    }
    try Self.check(
      "FULLY_CONNECTED",
      [
        .init([rows, depth], x), .init([columns, depth], w, isConstant: true),
        .init([columns], bias, isConstant: true),
      ], .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(1)]), expecting: expected)
  }

  /// 3×3 windows, which the default computes by Winograd's method, with and without groups.
  @Test(arguments: [(32, 32, 1), (3, 8, 1), (8, 8, 2), (33, 5, 1)])
  func convolutions(channels: Int, outputs: Int, groups: Int) throws {
    let (size, groupChannels) = (12, channels / groups)
    let x = Self.numbers(size * size * channels, 4)
    let w = Self.numbers(outputs * 9 * groupChannels, 5)
    let bias = Self.numbers(outputs, 6)
    let (input, filter) = (x.map(BFloat16Arithmetic.rounded), w.map(BFloat16Arithmetic.rounded))
    let expected = (0..<size * size * outputs).map { index in
      let (pixel, output) = (index / outputs, index % outputs)
      let firstChannel = output / (outputs / groups) * groupChannels
      let sum = BFloat16Arithmetic.sum(of: 9 * groupChannels, inRunsOf: 3 * groupChannels) {
        let (tap, channel) = ($0 / groupChannels, $0 % groupChannels)
        let (row, column) = (pixel / size + tap / 3 - 1, pixel % size + tap % 3 - 1)
        let isInside = (0..<size).contains(row) && (0..<size).contains(column)
        let place = (row * size + column) * channels + firstChannel + channel
        return (isInside ? input[place] : 0, filter[output * 9 * groupChannels + $0])
      }
      return sum + bias[output]
    }
    try Self.check(
      "CONV_2D",
      [
        .init([1, size, size, channels], x),
        .init([outputs, 3, 3, groupChannels], w, isConstant: true),
        .init([outputs], bias, isConstant: true),
      ],
      .init(tag: BuiltinOptionsTag.conv2D, [0: .int8(0), 1: .int32(1), 2: .int32(1)]),
      expecting: expected)
  }

  /// With a stride of two, windows of 2×2 taps do not overlap: a result is one tap of one pixel.
  @Test func transposedConvolutions() throws {
    let (size, channels, outputs) = (5, 40, 3)
    let x = Self.numbers(size * size * channels, 7)
    let w = Self.numbers(outputs * 4 * channels, 8)
    let (input, filter) = (x.map(BFloat16Arithmetic.rounded), w.map(BFloat16Arithmetic.rounded))
    let expected = (0..<4 * size * size * outputs).map { index in
      let (pixel, output) = (index / outputs, index % outputs)
      let (row, column) = (pixel / (2 * size), pixel % (2 * size))
      let tap = (output * 2 + row % 2) * 2 + column % 2
      return BFloat16Arithmetic.sum(of: channels, inRunsOf: channels) {
        (input[(row / 2 * size + column / 2) * channels + $0], filter[tap * channels + $0])
      }
    }
    try Self.check(
      "TRANSPOSE_CONV",
      [
        .init([4], [1, Int32(2 * size), Int32(2 * size), Int32(outputs)], isConstant: true),
        .init([outputs, 2, 2, channels], w, isConstant: true),
        .init([1, size, size, channels], x),
      ], .init(tag: BuiltinOptionsTag.transposeConv, [0: .int8(0), 1: .int32(2), 2: .int32(2)]),
      expecting: expected)
  }

  /// Overlapping windows: every instruction set divides them into the same convolutions.
  @Test(arguments: [1, 2, 5, 20]) func overlappingTransposedConvolutions(outputs: Int) throws {
    let (size, channels) = (6, 19)
    let operands: [TestTensor] = [
      .init([4], [1, Int32(2 * size), Int32(2 * size), Int32(outputs)], isConstant: true),
      .init([outputs, 4, 4, channels], Self.numbers(outputs * 16 * channels, 9), isConstant: true),
      .init([1, size, size, channels], Self.numbers(size * size * channels, 10)),
    ]
    let options = ModelWriter.Options(
      tag: BuiltinOptionsTag.transposeConv, [0: .int8(0), 1: .int32(2), 2: .int32(2)])
    let (_, first) = try run(
      "TRANSPOSE_CONV", operands, options: options, running: Self.ways[0], as: Float.self)
    try Self.check("TRANSPOSE_CONV", operands, options, expecting: first)
    let (_, exact) = try run(
      "TRANSPOSE_CONV", operands, options: options, running: .init(numerics: .exact),
      as: Float.self)
    #expect(zip(first, exact).allSatisfy { abs($0 - $1) < 0.1 } && first != exact)
  }

  /// Products of two computed matrices.
  @Test(arguments: [false, true]) func batchesOfMatrices(transposesRight: Bool) throws {
    let (rows, depth, columns) = (7, 65, 18)
    let (x, y) = (Self.numbers(2 * rows * depth, 11), Self.numbers(2 * depth * columns, 12))
    let (left, right) = (x.map(BFloat16Arithmetic.rounded), y.map(BFloat16Arithmetic.rounded))
    let expected = (0..<2 * rows * columns).map { index in
      let (row, column) = (index / columns, index % columns)
      let matrix = row / rows * depth * columns
      return BFloat16Arithmetic.sum(of: depth, inRunsOf: depth) {
        let place = transposesRight ? column * depth + $0 : $0 * columns + column
        return (left[row * depth + $0], right[matrix + place])
      }
    }
    try Self.check(
      "BATCH_MATMUL",
      [
        .init([2, rows, depth], x),
        .init([2] + (transposesRight ? [columns, depth] : [depth, columns]), y),
      ], .init(tag: BuiltinOptionsTag.batchMatMul, [1: .bool(transposesRight)]),
      expecting: expected)
  }

  /// A weight that becomes infinite makes no NaN of the zeros of padding.
  @Test func weightsThatBecomeInfinite() throws {
    for way in Self.ways {
      let (_, values) = try run(
        "CONV_2D",
        [
          .init([1, 1, 2, 1], [1, 1] as [Float]),
          .init([1, 1, 3, 1], [.greatestFiniteMagnitude, 1, 0] as [Float], isConstant: true),
          .init([1], [0] as [Float], isConstant: true),
        ],
        options: .init(tag: BuiltinOptionsTag.conv2D, [0: .int8(0), 1: .int32(1), 2: .int32(1)]),
        running: way, as: Float.self)
      #expect(values == [1, .greatestFiniteMagnitude])
    }
  }

  // MARK: Models

  private static func layer() throws -> Model { try NumericsTests.cases[0].model() }

  @Test func plansNameTheFactors() throws {
    let interpreter = try Interpreter(Self.layer(), options: .init(numerics: .bfloat16))
    try interpreter.allocate()
    let kernel = interpreter.plan.nodes[0].execution.description
    #expect(kernel.contains("gemm bfloat16"))
    #expect(interpreter.plan.nodes[0].strategy?.family == "gemm-bfloat16")
  }

  /// Packed weights take half of the memory.
  @Test func weightsTakeHalfOfTheMemory() throws {
    func packed(_ numerics: Interpreter.Numerics) throws -> Int {
      let interpreter = try Interpreter(Self.layer(), options: .init(numerics: numerics))
      try interpreter.allocate()
      return interpreter.plan.packedByteCount
    }
    #expect(try Double(packed(.bfloat16)) < 0.55 * Double(packed(.fast)))
  }

  /// An interpreter of other numerics finds none of the weights that this one has packed.
  @Test(arguments: NumericsTests.cases)
  func interpretersOfOneModelDoNotMeet(_ operation: NumericsTests.Case) throws {
    let options: [Interpreter.Options] = [.init(), .init(numerics: .bfloat16)]
    let alone = try options.map { try operation.bits(operation.model(), $0) }
    let model = try operation.model()
    for index in [0, 1, 0] {
      #expect(try operation.bits(model, options[index]) == alone[index])
    }
    let multiplies = ["FULLY_CONNECTED", "CONV_2D"].contains(operation.name)
    #expect((alone[0] != alone[1]) == multiplies)
  }

  /// Reference kernels compute what they always do.
  @Test func referenceKernelsDoNotRound() throws {
    let operation = NumericsTests.cases[0]
    let options: [Interpreter.Options] = [
      .init(usesReferenceKernels: true),
      .init(usesReferenceKernels: true, numerics: .bfloat16),
    ]
    let results = try options.map { try operation.bits(operation.model(), $0) }
    #expect(results[0] == results[1])
  }

  /// A float layer before a QUANTIZE, where a difference of one bit may become a whole step.
  @Test func modelsThatRoundFloatsStayExact() throws {
    let (depth, columns) = (40, 9)
    let codes = ["FULLY_CONNECTED", "QUANTIZE"].map {
      OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: $0) ?? 0)
    }
    let weights = Self.numbers(columns * depth, 13)
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: [
          .init("x", .float32, [1, depth]),
          .init("w", .float32, [columns, depth], constant: [UInt8](bytesOf: weights)),
          .init("y", .float32, [1, columns]),
          .init(
            "z", .int8, [1, columns],
            quantization: QuantizationRecord(scales: [0.01], zeroPoints: [0])),
        ], inputs: [0], outputs: [2, 3],
        operators: [
          .init(
            codes[0], inputs: [0, 1], outputs: [2],
            options: .init(tag: BuiltinOptionsTag.fullyConnected, [0: .int8(0)])),
          .init(codes[1], inputs: [2], outputs: [3]),
        ])
    ])
    let results = try [Interpreter.Numerics.exact, .bfloat16].map { numerics in
      let interpreter = try Interpreter(
        Model(bytes: writer.bytes()), options: .init(numerics: numerics))
      try interpreter.setInput(at: 0, to: Self.numbers(depth, 14))
      try interpreter.run()
      return try interpreter.output(at: 0, as: Float.self).map(\.bitPattern)
    }
    #expect(results[0] == results[1])
  }
}
