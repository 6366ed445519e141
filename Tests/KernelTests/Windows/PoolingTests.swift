import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct PoolingTests {
  /// Windows over all channels of a pixel, without dilation.
  static let windows =
    convolutionGeometries.filter {
      $0.dilationHeight == 1 && $0.dilationWidth == 1 && $0.depth > 0
        && $0.channels == $0.pixelStride
    }
    + windowsOfManyChannels + sharedColumns

  /// Windows of many channels, which are read in groups of four or three vectors, and in blocks.
  private static let windowsOfManyChannels = [40, 72, 96, 144, 288, 576, 600, 1200].map {
    channels in
    var windows = PatchGeometry(inputHeight: 4, inputWidth: 5, channels: channels)
    (windows.windowHeight, windows.windowWidth) = (3, 2)
    (windows.paddingTop, windows.paddingLeft) = (1, 1)
    (windows.outputHeight, windows.outputWidth) = (3, 6)
    return windows
  }

  /// Windows of three and of five columns with a stride of one.
  private static let sharedColumns = [8, 9, 16, 20, 32, 33, 40, 64, 100].flatMap { channels in
    [3, 5].flatMap { taps in
      [1, 3, 5].map { rows in
        var windows = PatchGeometry(inputHeight: 6, inputWidth: 11, channels: channels)
        (windows.windowHeight, windows.windowWidth) = (rows, taps)
        (windows.paddingTop, windows.paddingLeft) = (rows / 2, taps / 2)
        (windows.outputHeight, windows.outputWidth) = (6, 11)
        return windows
      }
    }
  }

  private static let imageCount = 2

  /// The elements under each window, for each channel, with their indices in the window.
  private func contents<Element>(
    _ windows: PatchGeometry, _ elements: [Element]
  ) -> [[(index: Int, element: Element)]] {
    let pixels = Self.imageCount * windows.outputHeight * windows.outputWidth
    return (0..<pixels).flatMap { pixel in
      let taps = windows.taps(of: pixel)
      return (0..<windows.channels).map { channel in
        taps.enumerated().compactMap { index, tap in
          tap.map { (index, elements[$0 + channel]) }
        }
      }
    }
  }

  private func elementCount(_ windows: PatchGeometry) -> Int {
    Self.imageCount * windows.inputHeight * windows.inputWidth * windows.channels
  }

  /// Runs a kernel in two calls.
  private func run<Element: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ kernel: Pooling.Kernel, _ table: Int, _ windows: PatchGeometry, _ elements: [Element],
    _ range: ClosedRange<Float>
  ) -> (results: [Element], indices: [Float]) {
    let rowCount = Self.imageCount * windows.outputHeight
    let count = rowCount * windows.outputWidth * windows.channels
    let input = GuardedMemory(elements)
    let output = GuardedMemory<Element>(count: count, filledWith: 77)
    let indices = GuardedMemory<Float>(count: count, filledWith: 77)
    let scratch = GuardedMemory<UInt8>(
      count: tables[table].pooling.scratchByteCount, filledWith: 0xFF)
    for rows in [0..<rowCount / 3, rowCount / 3..<rowCount] {
      kernel(
        PoolingArguments(
          windows: windows, input: input.start, imageCount: Self.imageCount,
          output: output.start, indices: Element.self == Float.self ? indices.start : nil,
          rows: rows, lowerBound: range.lowerBound, upperBound: range.upperBound,
          scratch: scratch.start))
    }
    return (output.elements, indices.elements)
  }

  @Test(arguments: tables.indices)
  func floats(table: Int) {
    var random = SeededGenerator(seed: 21)
    let pooling = tables[table].pooling
    for windows in Self.windows {
      let elements = random.floats(elementCount(windows))
      let contents = contents(windows, elements)
      let largest = contents.map { min($0.map(\.element).max() ?? 0, 0.5) }
      #expect(
        run(pooling.maximumFloat, table, windows, elements, -10...0.5).results == largest,
        "\(windows.description)")
      let means = contents.map { $0.reduce(0) { $0 + $1.element } / Float($0.count) }
      #expect(
        run(pooling.averageFloat, table, windows, elements, -10...10).results == means,
        "\(windows.description)")
      let (maxima, indices) = run(
        pooling.maximumFloatWithIndex, table, windows, elements, -10...10)
      #expect(maxima == contents.map { $0.map(\.element).max() ?? 0 })
      let wantedIndices = contents.map { window in
        let largest = window.map(\.element).max()
        return Float(window.first { $0.element == largest }?.index ?? 0) + 0.1
      }
      #expect(indices == wantedIndices, "\(windows.description)")
    }
  }

  /// Means over any number of elements round as a division does, whatever their magnitude.
  @Test(arguments: tables.indices)
  func meansOfAllMagnitudes(table: Int) {
    var random = SeededGenerator(seed: 23)
    let numbers = (0..<4096).map { _ in
      Float(bitPattern: UInt32.random(in: 0...(.max), using: &random))
    }.map { $0.isNaN ? 0 : $0 }
    for count in Array(1...70) + [127, 1023, 1_048_579] {
      let channels = count > 1 << 20 ? 1 : 40
      let elements = (0..<count * channels).map { numbers[($0 &* 7919) % numbers.count] }
        .enumerated().map { index, x in index < channels ? x : x * 1e-3 }
      var windows = PatchGeometry(inputHeight: 1, inputWidth: count, channels: channels)
      (windows.windowWidth, windows.outputWidth) = (count, 1)
      let input = GuardedMemory(elements)
      let output = GuardedMemory<Float>(count: channels, filledWith: 77)
      let scratch = GuardedMemory<UInt8>(
        count: tables[table].pooling.scratchByteCount, filledWith: 0xFF)
      tables[table].pooling.averageFloat(
        PoolingArguments(
          windows: windows, input: input.start, imageCount: 1, output: output.start, indices: nil,
          rows: 0..<1, lowerBound: -.infinity, upperBound: .infinity, scratch: scratch.start))
      let means = (0..<channels).map { channel in
        (0..<count).reduce(0) { $0 + elements[$1 * channels + channel] } / Float(count)
      }
      let differ = zip(output.elements, means).first {
        $1.isNaN ? !$0.isNaN : $0.bitPattern != $1.bitPattern
      }
      #expect(differ == nil, "\(count)")
    }
  }

  @Test(arguments: tables.indices)
  func bytes(table: Int) {
    var random = SeededGenerator(seed: 22)
    let pooling = tables[table].pooling
    for windows in Self.windows {
      let unsigned = random.bytes(elementCount(windows), isSigned: false)
      let signed = random.bytes(elementCount(windows), isSigned: true).map {
        Int8(bitPattern: $0)
      }
      func mean(_ window: [Int]) -> Int {
        let mean = Double(window.reduce(0, +)) / Double(window.count)
        return Int(mean.rounded(.toNearestOrAwayFromZero))
      }
      let unsignedWindows = contents(windows, unsigned).map { $0.map { Int($0.element) } }
      let signedWindows = contents(windows, signed).map { $0.map { Int($0.element) } }
      #expect(
        run(pooling.maximumUInt8, table, windows, unsigned, 3...200).results
          == unsignedWindows.map { UInt8(max(min($0.max() ?? 0, 200), 3)) })
      #expect(
        run(pooling.maximumInt8, table, windows, signed, -100...127).results
          == signedWindows.map { Int8(max($0.max() ?? 0, -100)) })
      #expect(
        run(pooling.averageUInt8, table, windows, unsigned, 0...255).results
          == unsignedWindows.map { UInt8(mean($0)) }, "\(windows.description)")
      #expect(
        run(pooling.averageInt8, table, windows, signed, -128...100).results
          == signedWindows.map { Int8(min(mean($0), 100)) }, "\(windows.description)")
    }
  }

  @Test(arguments: tables.indices)
  func unpoolingPutsFloatsBack(table: Int) {
    var random = SeededGenerator(seed: 23)
    for channels in awkwardSizes {
      let count = 3 * 5 * channels
      let values = random.floats(count)
      let taps = (0..<count).map { _ in Int.random(in: 0..<6, using: &random) }
      let output = GuardedMemory<Float>(count: count * 6, filledWith: 77)
      func run(_ taps: [Float]) -> Bool {
        let input = GuardedMemory(values)
        let marks = GuardedMemory(taps)
        return tables[table].pooling.unpoolFloat(
          UnpoolingArguments(
            input: input.start, indices: marks.start, output: output.start, rows: 0..<3,
            columnCount: 5, channels: channels, windowHeight: 2, windowWidth: 3))
      }
      #expect(run(taps.map { Float($0) + 0.1 }))
      var want = [Float](repeating: 0, count: count * 6)
      for (index, tap) in taps.enumerated() {
        let pixel = index / channels
        let row = pixel / 5 * 2 + tap / 3
        let column = pixel % 5 * 3 + tap % 3
        want[(row * 15 + column) * channels + index % channels] = values[index]
      }
      #expect(output.elements == want)
      for stray: Float in [-1, 6, .nan, 1e30] {
        var strays = taps.map { Float($0) }
        strays[count / 2] = stray
        #expect(!run(strays))
      }
    }
  }
}
