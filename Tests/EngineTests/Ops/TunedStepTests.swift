import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Tuned steps of operators, checked against their reference kernels.
///
/// The reference kernels are checked against official results by the conformance corpus. Sizes lie
/// around vector lengths, and steps run on one thread and on three.
@Suite struct TunedStepTests {
  private func compare<Result: TensorElement & Equatable>(
    _ name: String, _ operands: [TestTensor], version: Int = 1,
    options: ModelWriter.Options? = nil, declaredShape: [Int] = [], scale: Float? = nil,
    zeroPoint: Int = 0, of _: Result.Type, isEqual: (Result, Result) -> Bool = { $0 == $1 }
  ) throws {
    func results(_ interpreterOptions: Interpreter.Options) throws -> [Result] {
      try run(
        name, operands, version: version, options: options, declaredShape: declaredShape,
        scale: scale, zeroPoint: zeroPoint, running: interpreterOptions, as: Result.self
      ).values
    }
    let want = try results(.init(usesReferenceKernels: true))
    for threadCount in [1, 3] {
      let got = try results(.init(threads: threadCount))
      #expect(got.count == want.count)
      let differ = zip(got, want).first { !isEqual($0, $1) }
      #expect(differ == nil, "\(name), \(threadCount) threads")
    }
  }

  private func isClose(_ a: Float, _ b: Float) -> Bool { abs(a - b) <= 1e-5 * max(1, abs(b)) }

  private func signedBytes(_ count: Int, _ random: inout SeededGenerator) -> [Int8] {
    random.bytes(count, isSigned: true).map { Int8(bitPattern: $0) }
  }

  private func shorts(_ count: Int, _ random: inout SeededGenerator) -> [Int16] {
    (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
  }

  @Test(arguments: [(1, 1), (3, 7), (17, 33), (100, 128)])
  func rowsOfLengthOne(rows: Int, depth: Int) throws {
    var random = SeededGenerator(seed: 71)
    let count = rows * depth
    var floats = random.floats(count)
    // A row of zeros.
    for index in 0..<depth { floats[index] = 0 }
    try compare(
      "L2_NORMALIZATION", [.init([rows, depth], floats)], of: Float.self, isEqual: isClose)
    try compare(
      "L2_NORMALIZATION",
      [.init([rows, depth], signedBytes(count, &random), scale: 0.1, zeroPoint: -7)],
      scale: 1 / 128, of: Int8.self)
    try compare(
      "L2_NORMALIZATION",
      [.init([rows, depth], random.bytes(count, isSigned: false), scale: 0.1, zeroPoint: 200)],
      scale: 1 / 128, zeroPoint: 128, of: UInt8.self)
  }

  @Test(arguments: [(1, 1), (3, 7), (128, 91), (4, 700)], [0.002, 0.1, 1] as [Float])
  func logarithmsOfBytes(size: (rows: Int, depth: Int), scale: Float) throws {
    var random = SeededGenerator(seed: 72)
    let shape = [size.rows, size.depth], count = size.rows * size.depth
    try compare(
      "LOG_SOFTMAX", [.init(shape, signedBytes(count, &random), scale: scale)], version: 2,
      scale: 1 / 16, zeroPoint: 127, of: Int8.self)
    try compare(
      "LOG_SOFTMAX", [.init(shape, random.bytes(count, isSigned: false), scale: scale)],
      version: 2, scale: 1 / 16, zeroPoint: 255, of: UInt8.self)
  }

  /// Short rows are computed sixteen at a time.
  @Test(
    arguments: [(15, 16), (16, 4), (33, 5), (70, 16), (37, 17), (32, 31), (40, 32), (20, 33)],
    [0.002, 0.1, 1] as [Float])
  func sharesOfBytes(size: (rows: Int, length: Int), scale: Float) throws {
    var random = SeededGenerator(seed: 76)
    let shape = [size.rows, size.length], count = size.rows * size.length
    let options = ModelWriter.Options(tag: BuiltinOptionsTag.softmax, [0: .float(1)])
    var bytes = signedBytes(count, &random)
    // The first row has equal elements; in the second, one element is far above the others.
    for index in 0..<size.length { bytes[index] = 127 }
    for index in size.length..<2 * size.length { bytes[index] = -128 }
    bytes[size.length] = 127
    try compare(
      "SOFTMAX", [.init(shape, bytes, scale: scale)], version: 2, options: options,
      scale: 1 / 256, zeroPoint: -128, of: Int8.self)
    try compare(
      "SOFTMAX", [.init(shape, random.bytes(count, isSigned: false), scale: scale)], version: 2,
      options: options, scale: 1 / 256, zeroPoint: 0, of: UInt8.self)
  }

  @Test(arguments: [false, true], [false, true])
  func productsOfShorts(transposesLeft: Bool, transposesRight: Bool) throws {
    var random = SeededGenerator(seed: 73)
    let options = ModelWriter.Options(
      tag: BuiltinOptionsTag.batchMatMul, [0: .bool(transposesLeft), 1: .bool(transposesRight)])
    for (rows, depth, columns) in [(1, 9, 40), (7, 33, 17), (64, 32, 70), (9, 40, 1)] {
      let left = TestTensor(
        transposesLeft ? [3, depth, rows] : [3, rows, depth],
        shorts(3 * rows * depth, &random), scale: 0.001)
      let right = transposesRight ? [3, columns, depth] : [3, depth, columns]
      let count = 3 * depth * columns
      try compare(
        "BATCH_MATMUL", [left, .init(right, shorts(count, &random), scale: 0.002)], version: 4,
        options: options, scale: 0.03, of: Int16.self)
      try compare(
        "BATCH_MATMUL", [left, .init(right, signedBytes(count, &random), scale: 0.002)],
        version: 4, options: options, scale: 0.002, of: Int16.self)
    }
  }

  @Test(arguments: [[0, 2, 4], [1, 3], [0, 4], [1, 2, 4]] as [[Int32]])
  func reductionsAlongAxesThatAreApart(axes: [Int32]) throws {
    var random = SeededGenerator(seed: 77)
    let shape = [3, 4, 5, 6, 7], count = 2520
    let positions = TestTensor([axes.count], axes, isConstant: true)
    let options = ModelWriter.Options(tag: BuiltinOptionsTag.reducer, [0: .bool(true)])
    let floats = TestTensor(shape, random.floats(count))
    let bytes = TestTensor(shape, signedBytes(count, &random), scale: 0.02, zeroPoint: 5)
    try compare(
      "MEAN", [floats, positions], options: options, of: Float.self, isEqual: isClose)
    try compare("REDUCE_MAX", [floats, positions], options: options, of: Float.self)
    try compare(
      "REDUCE_MIN", [bytes, positions], version: 2, options: options, scale: 0.02, zeroPoint: 5,
      of: Int8.self)
    try compare(
      "MEAN", [bytes, positions], version: 2, options: options, scale: 0.005, zeroPoint: -9,
      of: Int8.self)
    try compare(
      "SUM", [bytes, positions], version: 2, options: options, scale: 0.3, zeroPoint: -9,
      of: Int8.self)
  }

  @Test(arguments: [1, 8, 33, 1000])
  func functionsOfShorts(count: Int) throws {
    var random = SeededGenerator(seed: 74)
    let input = TestTensor([count], shorts(count, &random), scale: 0.001)
    for scale in [0.001, 0.0004, 0.01] as [Float] {
      try compare("ABS", [input], version: 5, scale: scale, of: Int16.self)
      for alpha in [0.2, -0.3, 0, 1.7] as [Float] {
        try compare(
          "LEAKY_RELU", [input], version: 2,
          options: .init(tag: BuiltinOptionsTag.leakyRelu, [0: .float(alpha)]), scale: scale,
          of: Int16.self)
      }
    }
  }

  @Test(arguments: [([2, 5, 33], [33]), ([4, 40], [4, 40]), ([3, 7], [1])])
  func squaredDifferencesOfBytes(shapes: (first: [Int], second: [Int])) throws {
    var random = SeededGenerator(seed: 75)
    func tensor(_ shape: [Int], scale: Float, zeroPoint: Int) -> TestTensor {
      TestTensor(
        shape, signedBytes(shape.reduce(1, *), &random), scale: scale, zeroPoint: zeroPoint)
    }
    try compare(
      "SQUARED_DIFFERENCE",
      [
        tensor(shapes.first, scale: 0.02, zeroPoint: 11),
        tensor(shapes.second, scale: 0.05, zeroPoint: -100),
      ], version: 2, scale: 0.2, zeroPoint: -128, of: Int8.self)
  }

  @Test(arguments: [(1, 1), (2, 3), (3, 5)], [0, 1] as [Int8])
  func transposedVolumes(size: (stride: Int, taps: Int), padding: Int8) throws {
    var random = SeededGenerator(seed: 76)
    let (stride, taps) = size
    // The schema lists the stride of the columns before that of the rows.
    let options = ModelWriter.Options(
      tag: BuiltinOptionsTag.conv3D,
      [
        0: .int8(padding), 1: .int32(Int32(stride)), 2: .int32(Int32(stride)),
        3: .int32(Int32(stride)), 4: .int8(1), 5: .int32(1), 6: .int32(1), 7: .int32(1),
      ])
    let (channels, outputChannels) = (5, 9)
    let input = [2, 3, 4, 6]
    let output = input.enumerated().map { axis, extent in
      axis == 0 ? extent : padding == 0 ? extent * stride : (extent - 1) * stride + taps
    }
    let pixels = input.reduce(channels, *)
    try compare(
      "CONV_3D_TRANSPOSE",
      [
        .init([5], (output + [outputChannels]).map { Int32($0) }, isConstant: true),
        .init(
          [taps, taps, taps, outputChannels, channels],
          random.floats(taps * taps * taps * outputChannels * channels), isConstant: true),
        .init(input + [channels], random.floats(pixels)),
        .init([outputChannels], random.floats(outputChannels), isConstant: true),
      ], options: options, declaredShape: output + [outputChannels], of: Float.self
    ) { abs($0 - $1) < 1e-3 }
  }

  struct Lines: Sendable {
    var input: [Int]
    var window: [Int]
    var strides: [Int]
  }

  /// Pairs of output rows whose windows share input rows, some with a last row that has no partner.
  @Test(
    arguments: [
      Lines(input: [11, 12, 24], window: [5, 5], strides: [2, 2]),
      Lines(input: [8, 9, 66], window: [7, 3], strides: [2, 2]),
      Lines(input: [12, 2, 130], window: [5, 1], strides: [2, 2]),
      Lines(input: [7, 40, 33], window: [4, 6], strides: [2, 1]),
      Lines(input: [10, 13, 3], window: [6, 2], strides: [2, 3]),
    ], [0, 1] as [Int8])
  func depthwiseWindowsOfTwoLines(lines: Lines, padding: Int8) throws {
    guard padding == 0 || zip(lines.input, lines.window).allSatisfy({ $0 >= $1 }) else { return }
    var random = SeededGenerator(seed: 77)
    let channels = lines.input[2]
    let taps = lines.window.reduce(1, *)
    try compare(
      "DEPTHWISE_CONV_2D",
      [
        .init(
          [2] + lines.input, signedBytes(lines.input.reduce(2, *), &random), scale: 0.1,
          zeroPoint: -5),
        .init(
          [1] + lines.window + [channels], signedBytes(taps * channels, &random), scale: 0.02,
          isConstant: true),
        .init(
          [channels], (0..<channels).map { Int32($0 * 100) }, scale: 0.002, isConstant: true),
      ], version: 3,
      options: .init(
        tag: BuiltinOptionsTag.depthwiseConv2D,
        [
          0: .int8(padding), 1: .int32(Int32(lines.strides[1])),
          2: .int32(Int32(lines.strides[0])), 3: .int32(1), 5: .int32(1), 6: .int32(1),
        ]), scale: 0.5, of: Int8.self)
  }

  @Test(arguments: [2, 3, 17, 40])
  func reversal(extent: Int) throws {
    let shape = [3, 5, extent]
    let numbers = (0..<15 * extent).map { Int8(truncatingIfNeeded: $0) }
    for axis: Int32 in [1, 2] {
      let axes = TestTensor([1], [axis], isConstant: true)
      try compare("REVERSE_V2", [.init(shape, numbers), axes], of: Int8.self)
      try compare("REVERSE_V2", [.init(shape, numbers.map { Int64($0) }), axes], of: Int64.self)
    }
  }

  @Test(arguments: [(1, 1, 2), (7, 3, 5), (50, 64, 5), (9, 2100, 1)])
  func normalizedResponses(size: (pixels: Int, channels: Int, radius: Int32)) throws {
    var random = SeededGenerator(seed: 77)
    let values = random.floats(size.pixels * size.channels).map { $0 * 4 }
    try compare(
      "LOCAL_RESPONSE_NORMALIZATION", [.init([1, size.pixels, 1, size.channels], values)],
      options: .init(
        tag: BuiltinOptionsTag.localResponseNormalization,
        [0: .int32(size.radius), 1: .float(1.5), 2: .float(0.3), 3: .float(0.75)]),
      of: Float.self, isEqual: isClose)
  }

  @Test(
    arguments: [[1, 1, 1], [3, 37, 21], [2, 5, 64]], [[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]])
  func reductionsOfIntegers(shape: [Int], axes: [Int]) throws {
    var random = SeededGenerator(seed: 78)
    let count = shape.reduce(1, *)
    let wide = (0..<count).map { _ in Int64.random(in: .min ... .max, using: &random) }
    let axes = TestTensor([axes.count], axes.map { Int32($0) }, isConstant: true)
    let short = TestTensor(shape, wide.map { Int32(truncatingIfNeeded: $0) | 1 })
    try compare("SUM", [.init(shape, wide), axes], of: Int64.self)
    try compare("SUM", [short, axes], of: Int32.self)
    try compare("REDUCE_PROD", [short, axes], of: Int32.self)
    let floats = random.floats(count).map { 1 + $0 / 8 }
    try compare("REDUCE_PROD", [.init(shape, floats), axes], of: Float.self)
  }

  @Test(arguments: [1, 3, 8, 20, 67], [0, 1] as [Int8])
  func rootsOfMeanSquares(channels: Int, padding: Int8) throws {
    var random = SeededGenerator(seed: 79)
    try compare(
      "L2_POOL_2D", [.init([2, 7, 9, channels], random.floats(126 * channels))],
      options: .init(
        tag: BuiltinOptionsTag.pool2D,
        [0: .int8(padding), 1: .int32(2), 2: .int32(1), 3: .int32(3), 4: .int32(2), 5: .int8(3)]),
      of: Float.self)
  }

  /// Quotients that round to a whole number in single precision, and quotients that are too large.
  @Test func floorQuotientsOfFloats() throws {
    let dividends: [Float] = [
      6.9999995, 0.3, 1e30, -1e30, 8_388_608.5, -0.0, 5, .infinity, .nan, 16_777_215, -7,
    ]
    let shape = [dividends.count]
    for divisor in [0.1, 3, -0.7, 1, 1e-20] as [Float] {
      let divisors = [Float](repeating: divisor, count: dividends.count)
      try compare(
        "FLOOR_DIV", [.init(shape, dividends), .init(shape, divisors)], version: 2, of: Float.self
      ) { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN }
    }
  }
}
