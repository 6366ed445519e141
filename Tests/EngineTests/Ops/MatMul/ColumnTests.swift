import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Images of one column are computed as one row, with the results of the reference kernels.
@Suite struct ColumnTests {
  struct Window: Sendable, CustomTestStringConvertible {
    var rows: Int
    var taps: Int
    var stride: Int
    var dilation: Int
    /// The padding as the schema encodes it: 0 for SAME.
    var padding: Int8
    var testDescription: String {
      "\(rows) rows, \(taps) taps, stride \(stride), dilation \(dilation), padding \(padding)"
    }
  }

  static let windows: [Window] = [
    .init(rows: 49, taps: 9, stride: 1, dilation: 1, padding: 0),
    .init(rows: 50, taps: 9, stride: 2, dilation: 1, padding: 0),
    .init(rows: 31, taps: 5, stride: 1, dilation: 3, padding: 0),
    .init(rows: 20, taps: 4, stride: 3, dilation: 1, padding: 1),
    .init(rows: 7, taps: 7, stride: 1, dilation: 1, padding: 1),
    .init(rows: 300, taps: 3, stride: 1, dilation: 2, padding: 1),
  ]

  private func numbers(_ count: Int, seed: UInt64) -> [Int8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Int8.random(in: -9...9, using: &generator) }
  }

  private func floats(_ count: Int, seed: UInt64) -> [Float] {
    numbers(count, seed: seed).map { Float($0) }
  }

  /// Expects the reference kernels' shape and results from one thread and from two.
  private func expectEqualResults<Result: TensorElement & Equatable>(
    _ name: String, _ operands: [TestTensor], _ options: ModelWriter.Options,
    declaredShape: [Int] = [], scale: Float? = nil, as _: Result.Type
  ) throws {
    let results = try [
      Interpreter.Options(usesReferenceKernels: true), .init(threads: 1), .init(threads: 2),
    ].map {
      try run(
        name, operands, options: options, declaredShape: declaredShape, scale: scale, running: $0,
        as: Result.self)
    }
    for result in results.dropFirst() {
      #expect(result.shape == results[0].shape)
      #expect(result.values == results[0].values)
    }
  }

  private func options(_ tag: Int, _ window: Window, firstDilation: Int) -> ModelWriter.Options {
    .init(
      tag: tag,
      [
        0: .int8(window.padding), 1: .int32(1), 2: .int32(Int32(window.stride)),
        firstDilation: .int32(1), firstDilation + 1: .int32(Int32(window.dilation)),
      ])
  }

  @Test(arguments: windows) func convolutions(window: Window) throws {
    let weights = [10, window.taps, 1, 6]
    try expectEqualResults(
      "CONV_2D",
      [
        .init([2, window.rows, 1, 6], floats(12 * window.rows, seed: 1)),
        .init(weights, floats(60 * window.taps, seed: 2), isConstant: true),
        .init([10], floats(10, seed: 3), isConstant: true),
      ], options(BuiltinOptionsTag.conv2D, window, firstDilation: 4), as: Float.self)
    try expectEqualResults(
      "CONV_2D",
      [
        .init(
          [2, window.rows, 1, 6], numbers(12 * window.rows, seed: 1), scale: 0.1, zeroPoint: 3),
        .init(weights, numbers(60 * window.taps, seed: 2), scale: 0.2, isConstant: true),
        .init([10], [Int32](repeating: 5, count: 10), scale: 0.02, isConstant: true),
      ], options(BuiltinOptionsTag.conv2D, window, firstDilation: 4), scale: 0.3, as: Int8.self)
  }

  @Test(arguments: windows) func depthwiseConvolutions(window: Window) throws {
    let (channels, tag) = (120, BuiltinOptionsTag.depthwiseConv2D)
    let count = 2 * window.rows * channels
    try expectEqualResults(
      "DEPTHWISE_CONV_2D",
      [
        .init([2, window.rows, 1, channels], floats(count, seed: 4)),
        .init(
          [1, window.taps, 1, channels], floats(window.taps * channels, seed: 5), isConstant: true),
        .init([channels], floats(channels, seed: 6), isConstant: true),
      ], options(tag, window, firstDilation: 5), as: Float.self)
    try expectEqualResults(
      "DEPTHWISE_CONV_2D",
      [
        .init([2, window.rows, 1, channels], numbers(count, seed: 4), scale: 0.1, zeroPoint: 3),
        .init(
          [1, window.taps, 1, channels], numbers(window.taps * channels, seed: 5), scale: 0.2,
          isConstant: true),
        .init(
          [channels], [Int32](repeating: -7, count: channels), scale: 0.02, isConstant: true),
      ], options(tag, window, firstDilation: 5), scale: 0.3, as: Int8.self)
  }

  @Test(arguments: windows) func pools(window: Window) throws {
    let options = ModelWriter.Options(
      tag: BuiltinOptionsTag.pool2D,
      [
        0: .int8(window.padding), 1: .int32(1), 2: .int32(Int32(window.stride)), 3: .int32(1),
        4: .int32(Int32(window.taps)),
      ])
    for name in ["AVERAGE_POOL_2D", "MAX_POOL_2D"] {
      try expectEqualResults(
        name, [.init([2, window.rows, 1, 20], numbers(40 * window.rows, seed: 7), scale: 0.1)],
        options, scale: 0.1, as: Int8.self)
    }
  }

  @Test(arguments: windows) func transposedConvolutions(window: Window) throws {
    // The windows of neighbouring pixels begin one stride apart.
    let rows =
      window.padding == 0
      ? window.rows * window.stride
      : (window.rows - 1) * window.stride + window.taps
    let shape = [1, rows, 1, 3]
    try expectEqualResults(
      "TRANSPOSE_CONV",
      [
        .init([4], shape.map { Int32($0) }, isConstant: true),
        .init([3, window.taps, 1, 6], floats(18 * window.taps, seed: 8), isConstant: true),
        .init([1, window.rows, 1, 6], floats(6 * window.rows, seed: 9)),
      ],
      .init(
        tag: BuiltinOptionsTag.transposeConv,
        [0: .int8(window.padding), 1: .int32(1), 2: .int32(Int32(window.stride))]),
      declaredShape: shape, as: Float.self)
  }
}
