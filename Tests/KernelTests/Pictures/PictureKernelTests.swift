import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Picture kernels of all instruction sets, checked against plain loops around vector lengths.
@Suite struct PictureKernelTests {
  private static let widths = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 67, 130]

  /// Random bytes with the slack that kernels may read, in front of a guard page.
  private func row(_ count: Int, _ random: inout SeededGenerator) -> GuardedMemory<UInt8> {
    GuardedMemory(
      (0..<count + pictureSlack).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  /// Runs a filter with `taps` taps along rows, and compares every element with `expected`.
  private func checkAlong<Element: BitwiseCopyable & Equatable>(
    _ kernel: (PictureKernels) -> PictureKernels.HorizontalFilter, table: Int, taps: Int,
    filledWith filler: Element, weights: (inout SeededGenerator) -> (bits: [UInt8], [Double]),
    expected: (_ pixels: [UInt8], _ weights: [Double]) -> Element
  ) throws {
    var random = SeededGenerator(seed: 5)
    for channels in 1...4 {
      for width in Self.widths {
        let inputWidth = max(width * 2, taps)
        let rowCount = Int.random(in: 1...6, using: &random)
        let inputs = (0..<rowCount).map { _ in row(inputWidth * channels, &random) }
        let slack = pictureSlack / MemoryLayout<Element>.size
        let outputs = (0..<rowCount).map { _ in
          GuardedMemory<Element>(count: width * channels + slack, filledWith: filler)
        }
        let firsts = (0..<width).map { _ in
          Int32(Int.random(in: 0...inputWidth - taps, using: &random))
        }
        let allWeights = (0..<width).map { _ in weights(&random) }
        let bits = allWeights.flatMap(\.bits)
        let inputPointers = inputs.map { UnsafeRawPointer($0.start) }
        let outputPointers = outputs.map { UnsafeMutableRawPointer($0.start) }
        try inputPointers.withUnsafeBufferPointer { inputs in
          try outputPointers.withUnsafeBufferPointer { outputs in
            try firsts.withUnsafeBufferPointer { firsts in
              try bits.withUnsafeBytes { weights in
                kernel(tables[table].pictures)(
                  HorizontalFilterArguments(
                    inputs: try #require(inputs.baseAddress),
                    outputs: try #require(outputs.baseAddress), rowCount: rowCount,
                    count: width, channels: channels, firsts: try #require(firsts.baseAddress),
                    weights: try #require(weights.baseAddress), taps: taps))
              }
            }
          }
        }
        for row in 0..<rowCount {
          let pixels = inputs[row].elements
          let result = (0..<width * channels).map { index in
            let first = Int(firsts[index / channels])
            let taken = (0..<taps).map { pixels[(first + $0) * channels + index % channels] }
            return expected(taken, allWeights[index / channels].1)
          }
          #expect(
            Array(outputs[row].elements.prefix(width * channels)) == result,
            "\(channels) channels, width \(width), row \(row)")
        }
      }
    }
  }

  private func bytes(_ values: [some BitwiseCopyable]) -> [UInt8] {
    values.withUnsafeBytes { Array($0) }
  }

  /// The rounded sum of pixels times weights in units of 2⁻²².
  private func fixedByte(_ pixels: [UInt8], _ weights: [Int]) -> UInt8 {
    var sum = 1 << 21
    for (pixel, weight) in zip(pixels, weights) { sum += Int(pixel) * weight }
    return UInt8(clamping: sum >> 22)
  }

  @Test(arguments: tables.indices, [4, 8, 20])
  func fixedPointHorizontal(table: Int, taps: Int) throws {
    try checkAlong(\.fixedPointHorizontal, table: table, taps: taps, filledWith: UInt8(0)) {
      random in
      // Weights as sharp filters have them: some are negative, and their sum is about one.
      let weights = (0..<taps).map { _ in
        Int32.random(in: -(1 << 20)...1 << 21, using: &random) / Int32(taps / 4)
      }
      let halves = stride(from: 0, to: taps, by: 4).flatMap { group -> [Int16] in
        let four = [0, 2, 1, 3].map { weights[group + $0] }
        return four.map { Int16(truncatingIfNeeded: $0 & 0x7FF) }
          + four.map { Int16(truncatingIfNeeded: $0 >> 11) }
      }
      return (bytes(halves), weights.map(Double.init))
    } expected: { pixels, weights in
      fixedByte(pixels, weights.map { Int($0) })
    }
  }

  @Test(arguments: tables.indices)
  func linearHorizontal(table: Int) throws {
    try checkAlong(\.linearHorizontal, table: table, taps: 2, filledWith: Int16(0)) { random in
      let near = Int16.random(in: 0...2048, using: &random)
      return (bytes([near, 2048 - near]), [Double(near), Double(2048 - near)])
    } expected: { pixels, weights in
      let first = Int(pixels[0]) * Int(weights[0])
      let second = Int(pixels[1]) * Int(weights[1])
      return Int16((first + second) >> 4)
    }
  }

  /// The inputs are sums in units of 2⁻⁷ for each channel; there is one row, as rows share nothing.
  @Test(arguments: tables.indices)
  func linearBytesHorizontal(table: Int) throws {
    var random = SeededGenerator(seed: 12)
    for channels in 1...4 {
      for width in Self.widths {
        let input = GuardedMemory(
          (0..<12 * channels + pictureSlack / 2).map { _ in
            Int16.random(in: 0...32640, using: &random)
          })
        let output = GuardedMemory<UInt8>(
          count: width * channels + pictureSlack, filledWith: 77)
        let firsts = (0..<width).map { _ in Int32.random(in: 0...10, using: &random) }
        let near = (0..<width).map { _ in Int16.random(in: 0...2048, using: &random) }
        try [UnsafeRawPointer(input.start)].withUnsafeBufferPointer { inputs in
          try [UnsafeMutableRawPointer(output.start)].withUnsafeBufferPointer { outputs in
            try firsts.withUnsafeBufferPointer { firsts in
              try near.flatMap { [$0, 2048 - $0] }.withUnsafeBytes { weights in
                tables[table].pictures.linearBytesHorizontal(
                  HorizontalFilterArguments(
                    inputs: try #require(inputs.baseAddress),
                    outputs: try #require(outputs.baseAddress), rowCount: 1, count: width,
                    channels: channels, firsts: try #require(firsts.baseAddress),
                    weights: try #require(weights.baseAddress), taps: 2))
              }
            }
          }
        }
        let expected = (0..<width * channels).map { index in
          let place = Int(firsts[index / channels]) * channels + index % channels
          let weight = Int(near[index / channels])
          let first = (Int(input.start[place]) * weight) >> 16
          let second = (Int(input.start[place + channels]) * (2048 - weight)) >> 16
          return UInt8((first + second + 2) >> 2)
        }
        #expect(Array(output.elements.prefix(width * channels)) == expected)
      }
    }
  }

  @Test(arguments: tables.indices)
  func linearSumsVertical(table: Int) throws {
    var random = SeededGenerator(seed: 13)
    for (count, taps) in Self.widths.flatMap({ [($0, 1), ($0, 2)] }) {
      let rows = (0..<taps).map { _ in
        GuardedMemory((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      let output = GuardedMemory<Int16>(count: count, filledWith: 77)
      let weights: [Int16] = taps == 1 ? [2048, 0] : [1500, 548]
      try rows.map { UnsafeRawPointer($0.start) }.withUnsafeBufferPointer { pointers in
        try weights.withUnsafeBytes { weights in
          tables[table].pictures.linearSumsVertical(
            VerticalFilterArguments(
              rows: try #require(pointers.baseAddress), output: output.start, count: count,
              weights: try #require(weights.baseAddress), taps: taps))
        }
      }
      let expected = (0..<count).map { index in
        let first = Int(rows[0].start[index]) * Int(weights[0])
        let second = Int(rows[taps - 1].start[index]) * Int(weights[1])
        return Int16((first + second) >> 4)
      }
      #expect(output.elements == expected)
    }
  }

  @Test(arguments: tables.indices, [1, 3, 4, 9])
  func areaHorizontal(table: Int, taps: Int) throws {
    try checkAlong(\.areaHorizontal, table: table, taps: taps, filledWith: Float(0)) { random in
      let weights = (0..<taps).map { _ in Float.random(in: 0...1, using: &random) }
      return (bytes(weights), weights.map(Double.init))
    } expected: { pixels, weights in
      var sum: Float = 0
      for (pixel, weight) in zip(pixels, weights) { sum += Float(pixel) * Float(weight) }
      return sum
    }
  }

  /// Runs a filter across rows, and compares every column with `expected`.
  private func checkAcross<Element: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ kernel: PictureKernels.VerticalFilter, taps: Int, weights: [UInt8],
    element: (inout SeededGenerator) -> Element, expected: ([Element]) -> UInt8
  ) throws {
    var random = SeededGenerator(seed: 6)
    for count in Self.widths {
      let rows = (0..<taps).map { _ in
        GuardedMemory((0..<count).map { _ in element(&random) })
      }
      let output = GuardedMemory<UInt8>(count: count, filledWith: 77)
      try rows.map { UnsafeRawPointer($0.start) }.withUnsafeBufferPointer { pointers in
        try weights.withUnsafeBytes { weights in
          kernel(
            VerticalFilterArguments(
              rows: try #require(pointers.baseAddress), output: output.start, count: count,
              weights: try #require(weights.baseAddress), taps: taps, scale: 0.75, offset: 1.25))
        }
      }
      let columns = (0..<count).map { index in expected(rows.map { $0.start[index] }) }
      #expect(output.elements == columns, "\(count) elements")
    }
  }

  @Test(arguments: tables.indices)
  func fixedPointVertical(table: Int) throws {
    let weights: [Int32] = [-400_000, 1_500_000, 3_000_000, 700_000, -605_696]
    try checkAcross(
      tables[table].pictures.fixedPointVertical, taps: 5, weights: bytes(weights),
      element: { UInt8.random(in: 0...255, using: &$0) },
      expected: { column in
        fixedByte(column, weights.map { Int($0) })
      })
  }

  @Test(arguments: tables.indices)
  func linearVertical(table: Int) throws {
    try checkAcross(
      tables[table].pictures.linearVertical, taps: 2, weights: bytes([700, 1348] as [Int16]),
      element: { Int16.random(in: 0...32640, using: &$0) },
      expected: { column in
        let upper = (Int(column[0]) * 700) >> 16
        let lower = (Int(column[1]) * 1348) >> 16
        return UInt8((upper + lower + 2) >> 2)
      })
  }

  @Test(arguments: tables.indices)
  func areaVertical(table: Int) throws {
    let weights: [Float] = [0.25, 0.7, 0.4]
    try checkAcross(
      tables[table].pictures.areaVertical, taps: 3, weights: bytes(weights),
      element: { Float.random(in: 0...300, using: &$0) },
      expected: { column in
        var sum: Float = 0
        for (value, weight) in zip(column, weights) { sum += value * weight }
        let scaled: Float = sum * 0.75 + 1.25
        return UInt8(min(scaled.rounded(.toNearestOrEven), 255))
      })
  }

  /// Positions of which the first and the last have one pixel twice, as at the edges of pictures.
  private func places(
    _ count: Int, in width: Int, isMirrored: Bool, _ random: inout SeededGenerator
  ) -> [PixelPosition] {
    (0..<count).map { x in
      let isEdge = x == 0 || x == count - 1
      let first = Int32(x * (width - 2) / count) + (isMirrored ? 1 : 0)
      let far = isEdge ? -0.25 : Float.random(in: 0...1, using: &random)
      return PixelPosition(
        lower: first, upper: isEdge ? first : first + (isMirrored ? -1 : 1),
        lowerWeight: Int32(bitPattern: (1 - far).bitPattern),
        upperWeight: Int32(bitPattern: far.bitPattern))
    }
  }

  @Test(arguments: tables.indices, [(false, false), (true, false), (false, true), (true, true)])
  func bilinear(table: Int, variant: (isMirrored: Bool, isOnSide: Bool)) throws {
    var random = SeededGenerator(seed: 7)
    let (upperWeight, lowerWeight): (Float, Float) = (0.3, 0.7)
    let kernels = tables[table].pictures
    for (channels, width) in (1...4).flatMap({ c in Self.widths.map { (c, $0) } }) {
      let inputWidth = width / 2 + 2
      let upper = row(inputWidth * channels, &random)
      let lower = row(inputWidth * channels, &random)
      let columns = places(width, in: inputWidth, isMirrored: variant.isMirrored, &random)
      let output = GuardedMemory<UInt8>(count: width * channels, filledWith: 77)
      try columns.withUnsafeBufferPointer { columns in
        (variant.isOnSide ? kernels.bilinearTransposed : kernels.bilinear)(
          BilinearRowArguments(
            upper: upper.start, lower: lower.start, upperWeight: upperWeight,
            lowerWeight: lowerWeight, output: output.start,
            columns: try #require(columns.baseAddress), count: width, channels: channels,
            isMirrored: variant.isMirrored))
      }
      let expected = (0..<width * channels).map { index in
        let place = columns[index / channels]
        let near = Float(bitPattern: UInt32(bitPattern: place.lowerWeight))
        let far = Float(bitPattern: UInt32(bitPattern: place.upperWeight))
        func product(_ row: GuardedMemory<UInt8>, _ pixel: Int32, _ x: Float, _ y: Float) -> Float {
          let value = Float(row.start[Int(pixel) * channels + index % channels])
          return variant.isOnSide ? value * x * y : value * y * x
        }
        let first = product(upper, place.lower, near, upperWeight)
        let second = product(lower, place.lower, near, lowerWeight)
        let third = product(upper, place.upper, far, upperWeight)
        let fourth = product(lower, place.upper, far, lowerWeight)
        let sum: Float =
          variant.isOnSide ? first + third + second + fourth : first + second + third + fourth
        return UInt8(max(min(sum + 0.5, 255), 0))
      }
      #expect(output.elements == expected, "\(channels) channels, width \(width)")
    }
  }

  @Test(arguments: tables.indices)
  func nearest(table: Int) throws {
    var random = SeededGenerator(seed: 8)
    for channels in 1...4 {
      for width in Self.widths {
        let input = row(9 * channels, &random)
        let columns = (0..<width).map { _ in Int32.random(in: 0..<9, using: &random) }
        let output = GuardedMemory<UInt8>(count: width * channels, filledWith: 77)
        try columns.withUnsafeBufferPointer { columns in
          tables[table].pictures.nearest(
            NearestRowArguments(
              input: input.start, output: output.start,
              columns: try #require(columns.baseAddress), count: width, channels: channels))
        }
        let expected = (0..<width * channels).map { index in
          input.start[Int(columns[index / channels]) * channels + index % channels]
        }
        #expect(output.elements == expected)
      }
    }
  }

  @Test(arguments: tables.indices, [true, false])
  func video(table: Int, isInterleaved: Bool) {
    var random = SeededGenerator(seed: 9)
    let factors = YCbCrFactors(
      luma: 1_220_542, redFromCr: 1_673_527, greenFromCr: -852_492, greenFromCb: -409_993,
      blueFromCb: 2_116_026)
    for (width, startsOdd) in Self.widths.flatMap({ [($0, false), ($0, true)] }) {
      let pairs = (width + (startsOdd ? 2 : 1)) / 2
      func noise(_ count: Int) -> GuardedMemory<UInt8> {
        GuardedMemory((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      let luma = noise(width)
      let first = noise(isInterleaved ? 2 * pairs : pairs)
      let second = noise(pairs)
      let cr = isInterleaved ? first.start + 1 : second.start
      let step = isInterleaved ? 2 : 1
      let output = GuardedMemory<UInt8>(count: width * 3 + pictureSlack, filledWith: 77)
      tables[table].pictures.rgbFromYCbCr(
        YCbCrRowArguments(
          luma: luma.start, cb: first.start, cr: cr, colorStep: step, startsOdd: startsOdd,
          output: output.start, count: width, lumaOffset: 16, factors: factors))
      let expected = (0..<width).flatMap { (x: Int) -> [UInt8] in
        let place = (x + (startsOdd ? 1 : 0)) / 2 * step
        let (u, v) = (Int(first.start[place]) - 128, Int(cr[place]) - 128)
        let y: Int = max(Int(luma.start[x]) - 16, 0) * 1_220_542 + (1 << 19)
        let green: Int = y - 852_492 * v - 409_993 * u
        let colors: [Int] = [y + 1_673_527 * v, green, y + 2_116_026 * u]
        return colors.map { UInt8(clamping: $0 >> 20) }
      }
      #expect(Array(output.elements.prefix(width * 3)) == expected, "width \(width)")
    }
  }

  @Test(
    arguments: tables.indices,
    [
      (.rgb, .gray), (.rgba, .gray), (.bgra, .gray), (.rgba, .rgb), (.bgra, .rgb), (.gray, .rgba),
      (.rgb, .bgra), (.bgra, .rgba),
    ] as [(PixelOrder, PixelOrder)])
  func orders(table: Int, change: (from: PixelOrder, to: PixelOrder)) {
    var random = SeededGenerator(seed: 10)
    for width in Self.widths {
      let input = GuardedMemory(
        (0..<width * change.from.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
      let bytes = change.to.byteCount
      let output = GuardedMemory<UInt8>(count: width * bytes + pictureSlack, filledWith: 77)
      tables[table].pictures.recolored(
        RecolorArguments(
          input: input.start, inputOrder: change.from, output: output.start,
          outputOrder: change.to, count: width))
      let expected = (0..<width).flatMap { x in
        recolored(input.start + x * change.from.byteCount, change.from, change.to)
      }
      #expect(Array(output.elements.prefix(width * bytes)) == expected, "width \(width)")
    }
  }

  private func recolored(
    _ pixel: UnsafePointer<UInt8>, _ from: PixelOrder, _ to: PixelOrder
  ) -> [UInt8] {
    let places = from == .bgra ? [2, 1, 0] : from == .gray ? [0, 0, 0] : [0, 1, 2]
    let colors = places.map { pixel[$0] }
    let opacity = from == .rgba || from == .bgra ? pixel[3] : 255
    switch to {
    case .gray:
      let sum = Int(colors[0]) * 19595 + Int(colors[1]) * 38470 + Int(colors[2]) * 7471
      return [UInt8((sum + 0x8000) >> 16)]
    case .rgb: return colors
    case .rgba: return colors + [opacity]
    case .bgra: return colors.reversed() + [opacity]
    }
  }

  @Test(arguments: tables.indices)
  func normalized(table: Int) throws {
    var random = SeededGenerator(seed: 11)
    let period = NormalizationArguments.period
    let means = (0..<period).map { Float([103.5, 116.25, 123.7][$0 % 3]) }
    let deviations = (0..<period).map { Float([57.1, 58.4, 255][$0 % 3]) }
    for count in Self.widths + [300] {
      let input = GuardedMemory((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      let output = GuardedMemory<Float>(count: count, filledWith: 77)
      try means.withUnsafeBufferPointer { means in
        try deviations.withUnsafeBufferPointer { deviations in
          tables[table].pictures.normalized(
            NormalizationArguments(
              input: input.start, output: output.start, count: count,
              means: try #require(means.baseAddress),
              deviations: try #require(deviations.baseAddress)))
        }
      }
      let expected = (0..<count).map {
        (Float(input.start[$0]) - means[$0 % period]) / deviations[$0 % period]
      }
      #expect(output.elements == expected)
    }
  }
}
