import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ConvolutionTests {
  /// Options of CONV_2D: padding, strides and dilations, columns first.
  private func options(
    padding: Int8 = 1, strides: (Int32, Int32) = (1, 1), dilations: (Int32, Int32) = (1, 1)
  ) -> ModelWriter.Options {
    .init(
      tag: BuiltinOptionsTag.conv2D,
      [
        0: .int8(padding), 1: .int32(strides.0), 2: .int32(strides.1), 4: .int32(dilations.0),
        5: .int32(dilations.1),
      ])
  }

  /// Two groups of two channels each, and one output channel for each group.
  @Test func groupsFollowFromTheWeights() throws {
    let (shape, sums) = try run(
      "CONV_2D",
      [
        .init([1, 1, 2, 4], [1, 2, 3, 4, 5, 6, 7, 8] as [Float]),
        .init([2, 1, 1, 2], [1, 10, 100, 1000] as [Float]), .init([2], [0.5, -0.5] as [Float]),
      ], options: options(), as: Float.self)
    #expect(shape == [1, 1, 2, 2])
    #expect(sums == [21.5, 4299.5, 65.5, 8699.5])
  }

  @Test func infinitiesBecomeFinite() throws {
    let (_, sums) = try run(
      "CONV_2D",
      [
        .init([1, 1, 2, 1], [Float.infinity, -.infinity]), .init([1, 1, 1, 1], [1] as [Float]),
        .init([1], [0] as [Float]),
      ], options: options(), as: Float.self)
    #expect(sums == [.greatestFiniteMagnitude, -.greatestFiniteMagnitude])
  }

  /// The sum (3 − 1)·(7 − 2) + 4 = 14 in steps of 0.25 is 3.5; that is 7 in steps of 0.5, and 17
  /// with the zero point.
  @Test func quantizedSumsAreRescaled() throws {
    let (_, sums) = try run(
      "CONV_2D",
      [
        .init([1, 1, 1, 1], [3] as [UInt8], scale: 0.5, zeroPoint: 1),
        .init([1, 1, 1, 1], [7] as [UInt8], scale: 0.5, zeroPoint: 2),
        .init([1], [4] as [Int32], scale: 0.25),
      ], options: options(), scale: 0.5, zeroPoint: 10, as: UInt8.self)
    #expect(sums == [17])
  }

  /// Inputs are quantized in steps of 2/127 to -64, 32 and 127, so the integer sums are 2·(-64),
  /// 2·32 and 2·127.
  @Test func floatsMeetQuantizedWeightsRounded() throws {
    let (_, sums) = try run(
      "CONV_2D",
      [
        .init([1, 1, 3, 1], [-1, 0.5, 2] as [Float]),
        .init([1, 1, 1, 1], [2] as [Int8], scale: 0.5), .init([1], [1] as [Float]),
      ], options: options(), as: Float.self)
    let expected: [Float] = [1 - 128 / 127, 1 + 64 / 127, 3]
    #expect(zip(sums, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  /// Strides and dilations, columns first.
  private static let impossibleOptions: [[Int32]] = [
    [0, 1, 1, 1], [1, -1, 1, 1], [1, 1, 0, 1], [1, 1, 1, .min], [.min, .min, .max, .max],
  ]

  @Test(arguments: impossibleOptions)
  func impossibleOptionsAreRefused(numbers: [Int32]) {
    #expect(throws: ModelError.self) {
      try run(
        "CONV_2D",
        [
          .init([1, 2, 2, 1], [1, 2, 3, 4] as [Float]),
          .init([1, 2, 2, 1], [1, 1, 1, 1] as [Float]), .init([1], [0] as [Float]),
        ],
        options: options(
          strides: (numbers[0], numbers[1]), dilations: (numbers[2], numbers[3])), as: Float.self)
    }
  }

  /// The middle tap meets the last pixel; the other taps are far outside.
  @Test func hugeDilationsAndStridesAreFine() throws {
    let (shape, sums) = try run(
      "CONV_2D",
      [
        .init([1, 2, 2, 1], [1, 2, 3, 4] as [Float]),
        .init([1, 3, 3, 1], [Float](repeating: 1, count: 9)), .init([1], [0] as [Float]),
      ], options: options(padding: 0, strides: (.max, .max), dilations: (.max, .max)),
      as: Float.self)
    #expect(shape == [1, 1, 1, 1])
    #expect(sums == [4])
  }

  @Test(arguments: [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])
  func emptyWeightsAreRefused(shape: [Int]) {
    #expect(throws: ModelError.self) {
      try run(
        "CONV_2D",
        [
          .init([1, 1, 1, 1], [1] as [Float]), .init(shape, [] as [Float]),
          .init([shape[0]], [Float](repeating: 0, count: shape[0])),
        ], options: options(), as: Float.self)
    }
  }

  /// Each input channel has two filters, whose outputs are adjacent.
  @Test func depthwiseOutputsOfAChannelAreNeighbours() throws {
    let (_, sums) = try run(
      "DEPTHWISE_CONV_2D",
      [
        .init([1, 1, 1, 2], [2, 3] as [Float]),
        .init([1, 1, 1, 4], [1, 10, 100, 1000] as [Float]),
      ],
      options: .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [0: .int8(1), 1: .int32(1), 2: .int32(1), 5: .int32(1), 6: .int32(1)]), as: Float.self)
    #expect(sums == [2, 20, 300, 3000])
  }

  /// With one tap and a stride of 2, every other pixel holds only the bias.
  @Test(arguments: [false, true])
  func gapsOfTransposedConvolutionsHoldTheBias(weightsAreConstant: Bool) throws {
    let (shape, sums) = try run(
      "TRANSPOSE_CONV",
      [
        .init([4], [1, 1, 3, 1] as [Int32]),
        .init([1, 1, 1, 1], [10] as [Float], isConstant: weightsAreConstant),
        .init([1, 1, 2, 1], [1, 2] as [Float]),
        .init([1], [0.5] as [Float], isConstant: weightsAreConstant),
      ], version: 3,
      options: .init(
        tag: BuiltinOptionsTag.transposeConv, [0: .int8(0), 1: .int32(2), 2: .int32(1)]),
      as: Float.self)
    #expect(shape == [1, 1, 3, 1])
    #expect(sums == [10.5, 0.5, 20.5])
  }

  /// With a stride of 3, windows of 2 × 1 taps leave most of the 9 × 7 results without input; the
  /// results match the reference kernel.
  @Test func gapsOfQuantizedTransposedConvolutionsAreTheReferences() throws {
    var random = SeededGenerator(seed: 16)
    let weights = random.bytes(5 * 2 * 1 * 4, isSigned: true).map { Int8(bitPattern: $0) }
    let input = random.bytes(2 * 3 * 3 * 4, isSigned: true).map { Int8(bitPattern: $0) }
    let results = try [false, true].map { isReference in
      try run(
        "TRANSPOSE_CONV",
        [
          .init([4], [2, 9, 7, 5] as [Int32], isConstant: true),
          .init([5, 2, 1, 4], weights, scale: 0.01, isConstant: true),
          .init([2, 3, 3, 4], input, scale: 0.5, zeroPoint: -3),
          .init([5], [100, -200, 300, -400, 9000] as [Int32], scale: 0.005, isConstant: true),
        ], version: 3,
        options: .init(
          tag: BuiltinOptionsTag.transposeConv, [0: .int8(0), 1: .int32(3), 2: .int32(3)]),
        scale: 0.25, zeroPoint: 7, running: .init(usesReferenceKernels: isReference), as: Int8.self
      ).values
    }
    #expect(results[0] == results[1])
  }

  /// Windows of three taps overlap: 1·(1, 2, 3) and, two elements further, 10·(1, 2, 3).
  @Test func mediaPipesTransposedConvolutionFindsItsSize() throws {
    let (shape, sums) = try run(
      "Convolution2DTransposeBias",
      [
        .init([1, 1, 2, 1], [1, 10] as [Float]), .init([1, 1, 3, 1], [1, 2, 3] as [Float]),
        .init([1], [100] as [Float]),
      ], customOptions: .init(bytesOf: [2, 2, 1] as [Int32]), as: Float.self)
    #expect(shape == [1, 1, 5, 1])
    #expect(sums == [101, 102, 113, 120, 130])
  }
}
