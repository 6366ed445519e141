import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Depthwise convolutions: quantized ones against the formula of the quantization specification,
/// float ones against sums in double precision and, between tables, bit for bit.
@Suite struct DepthwiseTests {
  @Test func quantized() {
    for (index, geometry) in convolutionGeometries.enumerated() {
      let problem = QuantizedDepthwiseProblem(geometry, seed: UInt64(index))
      for table in tables {
        problem.check(table, "\(geometry.description), seed \(index)")
      }
    }
  }

  @Test func quantizedLines() {
    for (index, geometry) in lineGeometries.enumerated() {
      let problem = QuantizedDepthwiseProblem(geometry, seed: UInt64(index))
      for table in tables {
        problem.check(table, "\(geometry.description), seed \(index)")
      }
    }
  }

  /// Windows of one row, whose neighbouring columns are multiplied together, with fewer and with
  /// more columns than that; some columns lie beyond either end of the input.
  @Test(arguments: [2, 3, 4, 5, 9, 14])
  func quantizedWindowsOfOneLine(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    for channels in [3, 8, 20, 24, 64, 120, 130, 272] {
      let stride = Int.random(in: 1...4, using: &random)
      let dilation = Int.random(in: 1...3, using: &random)
      var geometry = PatchGeometry(
        inputHeight: 2, inputWidth: .random(in: 1...40, using: &random), channels: channels)
      geometry.windowWidth = width
      (geometry.strideWidth, geometry.dilationWidth) = (stride, dilation)
      geometry.paddingLeft = .random(in: 0...(width - 1) * dilation, using: &random)
      geometry.outputWidth = (geometry.inputWidth + geometry.paddingLeft - 1) / stride + 1
      let problem = QuantizedDepthwiseProblem(geometry, seed: UInt64(channels))
      for table in tables { problem.check(table, geometry.description) }
    }
  }

  /// Random windows over an input of random size; the first windows may overhang the input or miss
  /// it, and the last ones overhang it.
  private func drawnWindows(
    height: Int, width: Int, channels: Int, onUpTo input: (height: Int, width: Int),
    _ random: inout SeededGenerator
  ) -> PatchGeometry {
    var geometry = PatchGeometry(
      inputHeight: .random(in: 1...input.height, using: &random),
      inputWidth: .random(in: 1...input.width, using: &random), channels: channels)
    (geometry.windowHeight, geometry.windowWidth) = (height, width)
    geometry.strideHeight = .random(in: 1...3, using: &random)
    geometry.strideWidth = .random(in: 1...4, using: &random)
    geometry.dilationHeight = .random(in: 1...3, using: &random)
    geometry.dilationWidth = .random(in: 1...3, using: &random)
    geometry.paddingTop = .random(in: 0...height * geometry.dilationHeight, using: &random)
    geometry.paddingLeft = .random(in: 0...width * geometry.dilationWidth, using: &random)
    geometry.outputHeight =
      (geometry.inputHeight + geometry.paddingTop - 1) / geometry.strideHeight + 1
    geometry.outputWidth =
      (geometry.inputWidth + geometry.paddingLeft - 1) / geometry.strideWidth + 1
    return geometry
  }

  /// 3×3 windows, which some instruction sets read in place, with padding on all sides.
  ///
  /// Channels fill blocks or leave a remainder, some windows lie wholly in the padding, and some
  /// outputs have few columns.
  @Test(arguments: [16, 26, 32, 40, 56, 72, 120, 272])
  func quantizedWindowsOfThreeByThree(channels: Int) {
    var random = SeededGenerator(seed: UInt64(channels))
    for seed in 0..<12 {
      let geometry = drawnWindows(
        height: 3, width: 3, channels: channels, onUpTo: (12, 30), &random)
      let problem = QuantizedDepthwiseProblem(geometry, seed: UInt64(seed))
      for table in tables { problem.check(table, "\(problem.geometry.description), seed \(seed)") }
    }
  }

  /// Windows of many shapes over so many channels that some instruction sets transpose whole
  /// vectors; some blocks overlap, and some windows lie wholly in the padding.
  @Test(arguments: [64, 72, 96, 112, 120, 128, 192, 250, 480, 512])
  func quantizedWindowsOfManyChannels(channels: Int) {
    var random = SeededGenerator(seed: UInt64(channels))
    for seed in 0..<8 {
      let extents = [(1, 3), (3, 1), (2, 2), (3, 3), (5, 5), (1, 9), (4, 5), (7, 7)]
      let (height, width) = extents[seed]
      let geometry = drawnWindows(
        height: height, width: width, channels: channels, onUpTo: (9, 12), &random)
      let problem = QuantizedDepthwiseProblem(geometry, seed: UInt64(seed))
      for table in tables { problem.check(table, "\(problem.geometry.description), seed \(seed)") }
    }
  }

  /// A single window of one row, one column or several of both over all or nearly all of an image,
  /// whose rows are interleaved for this window alone.
  @Test(arguments: [1, 3, 16, 30, 32, 48, 60, 80, 101, 480])
  func quantizedSoleWindows(channels: Int) {
    var random = SeededGenerator(seed: UInt64(channels))
    for seed in 0..<16 {
      var geometry = PatchGeometry(inputHeight: 1, inputWidth: 1, channels: channels)
      geometry.windowHeight = seed % 4 == 0 ? 1 : .random(in: 1...14, using: &random)
      geometry.windowWidth = seed % 4 == 1 ? 1 : .random(in: 1...7, using: &random)
      geometry.dilationHeight = .random(in: 1...2, using: &random)
      geometry.dilationWidth = .random(in: 1...2, using: &random)
      geometry.inputHeight =
        (geometry.windowHeight - 1) * geometry.dilationHeight + .random(in: 1...2, using: &random)
      geometry.inputWidth =
        (geometry.windowWidth - 1) * geometry.dilationWidth + .random(in: 1...2, using: &random)
      (geometry.outputHeight, geometry.outputWidth) = (1, 1)
      let problem = QuantizedDepthwiseProblem(geometry, seed: UInt64(seed))
      for table in tables { problem.check(table, "\(geometry.description), seed \(seed)") }
    }
  }

  /// Images with several ranges of output rows that are computed in slices of channels; the last
  /// range of an image continues in the next image.
  @Test(arguments: [1, 2])
  func quantizedBands(stride: Int) {
    var geometry = PatchGeometry(inputHeight: 31, inputWidth: 39, channels: 272)
    (geometry.windowHeight, geometry.windowWidth) = (3, 3)
    (geometry.strideHeight, geometry.strideWidth) = (stride, stride)
    (geometry.paddingTop, geometry.paddingLeft) = (1, 1)
    geometry.outputHeight = 30 / stride + 1
    geometry.outputWidth = 38 / stride + 1
    let problem = QuantizedDepthwiseProblem(geometry, seed: 5)
    for table in tables { problem.check(table, geometry.description) }
  }

  @Test func float() {
    let geometries = convolutionGeometries + lineGeometries.filter { $0.channels < 100 }
    for (index, geometry) in geometries.enumerated() {
      check(FloatDepthwiseProblem(geometry, seed: UInt64(index)), "seed \(index)")
    }
  }

  /// 3×3 windows over so many channels that windows at a distance are computed pixel by pixel, in
  /// slices of channels.
  @Test(arguments: [224, 250, 480, 512, 520, 1037])
  func floatWindowsOfManyChannels(channels: Int) {
    var random = SeededGenerator(seed: UInt64(channels))
    for seed in 0..<6 {
      let geometry = drawnWindows(
        height: 3, width: 3, channels: channels, onUpTo: (9, 12), &random)
      check(FloatDepthwiseProblem(geometry, seed: UInt64(seed)), "seed \(seed)")
    }
  }

  private func check(_ problem: FloatDepthwiseProblem, _ name: String) {
    let what = "\(problem.geometry.description), \(name)"
    let exact = problem.sums(Double.self)
    let plain = problem.sums(Float.self).map(\.bitPattern)
    var fused: [UInt32]?
    for table in tables {
      var bitsOfTable: [UInt32]?
      for strategy in table.floatDepthwise.accepting(problem.geometry) {
        let name = "\(strategy.name) on \(table.name)"
        let got = problem.run(strategy.kernel)
        let isClose = zip(got, exact).allSatisfy { abs(Double($0) - $1) < 1e-5 }
        #expect(isClose, "\(what), \(name)")
        #expect(problem.run(strategy.kernel, block: 7) == got, "\(what), \(name), in blocks")
        let rounded = problem.run(strategy.kernel, numerics: .exact)
        #expect(rounded.map(\.bitPattern) == plain, "\(what): rounded products, \(name)")
        let bits = got.map(\.bitPattern)
        #expect(bitsOfTable == nil || bitsOfTable == bits, "\(what): \(name) differs in bits")
        bitsOfTable = bits
      }
      guard table.name != "baseline" else { continue }
      #expect(fused == nil || fused == bitsOfTable, "\(what): \(table.name) differs in bits")
      fused = bitsOfTable
    }
  }
}

/// A float depthwise convolution of two images, drawn from a seed.
private struct FloatDepthwiseProblem {
  var geometry: PatchGeometry
  var input: [Float]
  var filter: [Float]
  var bias: [Float]
  var taps: Int { geometry.windowHeight * geometry.windowWidth }
  var pixels: Int { 2 * geometry.outputHeight * geometry.outputWidth }

  init(_ geometry: PatchGeometry, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.geometry = geometry
    input = random.floats(2 * geometry.inputHeight * geometry.inputWidth * geometry.channels)
    filter = random.floats(geometry.depth)
    bias = random.floats(geometry.channels)
  }

  /// Returns the convolution in the precision of `Value`, with the bias added last.
  func sums<Value: BinaryFloatingPoint>(_: Value.Type) -> [Value] {
    (0..<pixels).flatMap { pixel in
      let places = geometry.taps(of: pixel)
      return (0..<geometry.channels).map { channel in
        var sum: Value = 0
        for (tap, place) in places.enumerated() {
          guard let place else { continue }
          let weight = filter[tap * geometry.channels + channel]
          sum += Value(input[place + channel]) * Value(weight)
        }
        return min(max(sum + Value(bias[channel]), -1), 1.5)
      }
    }
  }

  func run(
    _ kernel: FloatDepthwise, numerics: Numerics = .fast, block: Int = .max
  ) -> [Float] {
    let input = GuardedMemory(self.input)
    let filter = GuardedMemory(self.filter)
    let bias = GuardedMemory(self.bias)
    let packed = GuardedMemory<UInt8>(
      count: kernel.packedByteCount(geometry.channels, taps), filledWith: 0xFF)
    kernel.pack(
      FloatDepthwisePackingArguments(
        filter: filter.start, bias: bias.start, channels: geometry.channels, taps: taps,
        packed: packed.start))
    let output = GuardedMemory<Float>(count: pixels * geometry.channels, filledWith: .nan)
    let step = min(block, pixels)
    for pixel in stride(from: 0, to: pixels, by: step) {
      kernel.run(
        WindowBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          pixels: pixel..<min(pixel + step, pixels),
          epilogue: FloatEpilogue(minimum: -1, maximum: 1.5, numerics: numerics),
          scratch: output.start)
      )
    }
    return output.elements
  }
}

/// A quantized depthwise convolution of two images, drawn from a seed.
private struct QuantizedDepthwiseProblem {
  var geometry: PatchGeometry
  var input: QuantizedFormat
  var filter: QuantizedFormat
  var range: QuantizedRange
  var inputBytes: [UInt8]
  var filterBytes: [UInt8]
  var bias: [Int32]
  var multipliers: [Int32]
  var shifts: [Int32]
  var sums: [Int32] = []
  var pixels: Int { 2 * geometry.outputHeight * geometry.outputWidth }

  init(_ geometry: PatchGeometry, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.geometry = geometry
    let isSigned = Bool.random(using: &random)
    input = QuantizedFormat(
      isSigned: isSigned, zeroPoint: .random(in: isSigned ? -128...127 : 0...255, using: &random))
    filter = QuantizedFormat(
      isSigned: isSigned, zeroPoint: isSigned ? 0 : [117, 0, 255][Int(seed % 3)])
    let isRectified = Bool.random(using: &random)
    let minimum: Int32 = isSigned ? -128 : 0
    range = QuantizedRange(
      zeroPoint: isRectified ? minimum : minimum + 123, minimum: minimum,
      maximum: isSigned ? 120 : 255)
    inputBytes = random.bytes(
      2 * geometry.inputHeight * geometry.inputWidth * geometry.channels, isSigned: isSigned)
    filterBytes = random.bytes(geometry.depth, isSigned: isSigned)
    bias = (0..<geometry.channels).map { _ in .random(in: -9_000...9_000, using: &random) }
    multipliers = bias.map { _ in .random(in: 1 << 30 ... .max, using: &random) }
    shifts = bias.map { _ in .random(in: -12 ... -3, using: &random) }
    sums = expectedSums()
  }

  private func value(_ byte: UInt8, _ format: QuantizedFormat) -> Int64 {
    (format.isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte)) - Int64(format.zeroPoint)
  }

  private func expectedSums() -> [Int32] {
    (0..<pixels).flatMap { pixel in
      let places = geometry.taps(of: pixel)
      return (0..<geometry.channels).map { channel in
        var sum = Int64(bias[channel])
        for (tap, place) in places.enumerated() {
          guard let place else { continue }
          sum +=
            value(inputBytes[place + channel], input)
            * value(filterBytes[tap * geometry.channels + channel], filter)
        }
        return Int32(truncatingIfNeeded: sum)
      }
    }
  }

  func requantized() -> [UInt8] {
    sums.enumerated().map { index, sum in
      let channel = index % geometry.channels
      let scaled = OfficialRounding.scale(
        sum, multiplier: multipliers[channel], shift: shifts[channel])
      return UInt8(
        truncatingIfNeeded: min(max(scaled + range.zeroPoint, range.minimum), range.maximum))
    }
  }

  func check(_ table: KernelTable, _ what: String) {
    let multipliers = GuardedMemory(self.multipliers)
    let shifts = GuardedMemory(self.shifts)
    let fixed = SumScaling.fixedPoint(multipliers: multipliers.start, shifts: shifts.start)
    let want = requantized()
    for strategy in table.quantizedDepthwise.accepting(geometry) {
      let (kernel, what) = (strategy.kernel, "\(what), \(strategy.name) on \(table.name)")
      #expect(run(kernel, .sums, as: Int32.self) == sums, "\(what), sums")
      #expect(run(kernel, fixed, as: UInt8.self) == want, "\(what)")
      #expect(run(kernel, fixed, as: UInt8.self, block: 7) == want, "\(what), in blocks")
    }
  }

  private func run<Output: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ kernel: QuantizedDepthwise, _ requantization: SumScaling, as: Output.Type, block: Int = .max
  ) -> [Output] {
    let input = GuardedMemory(inputBytes)
    let filter = GuardedMemory(filterBytes)
    let bias = GuardedMemory(self.bias)
    let packed = GuardedMemory<UInt8>(
      count: kernel.packedByteCount(geometry), filledWith: 0xFF)
    kernel.pack(
      QuantizedDepthwisePackingArguments(
        filter: filter.start, filterFormat: self.filter, inputFormat: self.input,
        bias: bias.start, requantization: requantization, geometry: geometry,
        packed: packed.start))
    let scratch = GuardedMemory<UInt8>(count: kernel.scratchByteCount(geometry), filledWith: 0xFF)
    let output = GuardedMemory<Output>(count: pixels * geometry.channels, filledWith: 0)
    let step = min(block, pixels)
    for pixel in stride(from: 0, to: pixels, by: step) {
      kernel.run(
        WindowBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          pixels: pixel..<min(pixel + step, pixels),
          epilogue: QuantizedEpilogue(inputFormat: self.input, range: range), scratch: scratch.start
        ))
    }
    return output.elements
  }
}
