import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ResamplingTests {
  private struct Image {
    var height = 3
    var width: Int
    var channels: Int
    var count: Int { height * width * channels }
    var rowElements: Int { width * channels }
  }

  private static let images: [(input: Image, output: Image)] = [
    (1, 1), (1, 5), (2, 9), (4, 3), (7, 20),
  ].flatMap { widths in
    [1, 2, 3, 4, 7, 8, 15, 16, 17, 21, 32, 33, 40, 65].map { channels in
      (
        Image(width: widths.0, channels: channels),
        Image(height: 5, width: widths.1, channels: channels)
      )
    }
  }

  /// Positions with any weights that add up to one; the first position lies in front of the image.
  private func places(
    _ count: Int, in extent: Int, _ random: inout SeededGenerator, weigh: (Int) -> (Int32, Int32)
  ) -> [PixelPosition] {
    (0..<count).map { index in
      let lower = index == 0 ? 0 : Int.random(in: 0..<extent, using: &random)
      let (near, far) = weigh(index == 0 ? -300 : Int.random(in: 0...1024, using: &random))
      return PixelPosition(
        lower: Int32(lower), upper: Int32(index == 0 ? 0 : min(lower + 1, extent - 1)),
        lowerWeight: near, upperWeight: far)
    }
  }

  /// Runs a kernel, and compares every output element with `mix` of its four corners.
  private func compare<Element: BitwiseCopyable & Equatable & ExpressibleByIntegerLiteral>(
    _ kernel: (KernelTable) -> Resampling.Kernel, table: Int,
    elements: (Int, inout SeededGenerator) -> [Element], weigh: (Int) -> (Int32, Int32),
    mix: (_ corners: [Element], _ y: PixelPosition, _ x: PixelPosition) -> Element
  ) {
    var random = SeededGenerator(seed: 11)
    for (from, to) in Self.images {
      let pixels = elements(from.count, &random)
      let rows = places(to.height, in: from.height, &random, weigh: weigh)
      let columns = places(to.width, in: from.width, &random, weigh: weigh)
      let input = GuardedMemory(pixels)
      let output = GuardedMemory<Element>(count: to.count, filledWith: 77)
      let scratch = GuardedMemory<UInt8>(
        count: tables[table].resampling.scratchByteCount(from.rowElements, to.rowElements),
        filledWith: 0xFF)
      rows.withUnsafeBufferPointer { rows in
        columns.withUnsafeBufferPointer { columns in
          guard let rows = rows.baseAddress, let columns = columns.baseAddress else { return }
          kernel(tables[table])(
            ResamplingArguments(
              input: input.start, output: output.start, rows: rows, rowCount: to.height,
              columns: columns, columnCount: to.width, inputWidth: from.width,
              channels: from.channels, scratch: scratch.start))
        }
      }
      var want: [Element] = []
      for y in rows {
        for x in columns {
          for channel in 0..<from.channels {
            let corners = [(y.lower, x.lower), (y.upper, x.lower), (y.lower, x.upper)]
            let last = (y.upper, x.upper)
            want.append(
              mix(
                (corners + [last]).map { row, column in
                  pixels[(Int(row) * from.width + Int(column)) * from.channels + channel]
                }, y, x))
          }
        }
      }
      #expect(output.elements == want, "\(from) to \(to)")
    }
  }

  private func mixed(_ corners: [Float], _ y: PixelPosition, _ x: PixelPosition) -> Float {
    let fractions = [y.lowerWeight, x.lowerWeight, y.upperWeight, x.upperWeight].map {
      Float(bitPattern: UInt32(bitPattern: $0))
    }
    let (top, left, bottom, right) = (fractions[0], fractions[1], fractions[2], fractions[3])
    return corners[0] * top * left + corners[1] * bottom * left + corners[2] * top * right
      + corners[3] * bottom * right
  }

  private func roundedFloat(_ corners: [UInt8], _ y: PixelPosition, _ x: PixelPosition) -> UInt8 {
    UInt8(min(max(mixed(corners.map(Float.init), y, x) + 0.5, 0), 255))
  }

  private func mixedInFixedPoint<Element: FixedWidthInteger>(
    _ corners: [Element], _ y: PixelPosition, _ x: PixelPosition
  ) -> Element {
    let weights = [
      (y.lowerWeight, x.lowerWeight), (y.upperWeight, x.lowerWeight),
      (y.lowerWeight, x.upperWeight), (y.upperWeight, x.upperWeight),
    ]
    let sum = zip(corners, weights).reduce(0.0) {
      $0 + Double($1.0) * Double($1.1.0) * Double($1.1.1)
    }
    // A sum that is too large, because a weight exceeds one, keeps its lower bits.
    return Element(
      truncatingIfNeeded: Int((sum / 1_048_576).rounded(.toNearestOrAwayFromZero)))
  }

  private func realWeights(_ fraction: Int) -> (Int32, Int32) {
    let fraction = Float(fraction) / 1024.5
    return (
      Int32(bitPattern: (1 - fraction).bitPattern), Int32(bitPattern: fraction.bitPattern)
    )
  }

  @Test(arguments: tables.indices)
  func floatsHaveTheBitsOfPlainLoops(table: Int) {
    compare(
      { $0.resampling.bilinearFloat }, table: table, elements: { $1.floats($0) },
      weigh: realWeights, mix: mixed)
  }

  @Test(arguments: tables.indices)
  func unsignedBytesAreRoundedFloats(table: Int) {
    compare(
      { $0.resampling.bilinearUInt8 }, table: table,
      elements: { $1.bytes($0, isSigned: false) }, weigh: realWeights, mix: roundedFloat)
  }

  @Test(arguments: tables.indices)
  func signedBytesAreFixedPoint(table: Int) {
    compare(
      { $0.resampling.bilinearInt8 }, table: table,
      elements: { $1.bytes($0, isSigned: true).map { Int8(bitPattern: $0) } },
      weigh: { (Int32(1024 - $0), Int32($0)) },
      mix: mixedInFixedPoint)
  }

  @Test(arguments: tables.indices)
  func shortsAreFixedPoint(table: Int) {
    compare(
      { $0.resampling.bilinearInt16 }, table: table,
      elements: { count, random in
        // The weights in front of an image extrapolate, so the numbers need headroom.
        (0..<count).map { _ in Int16.random(in: -12000...12000, using: &random) }
      }, weigh: { (Int32(1024 - $0), Int32($0)) },
      mix: mixedInFixedPoint)
  }

  /// Weights that are multiples of 1/8, as in images that are enlarged two or four times.
  @Test(arguments: tables.indices)
  func unsignedBytesByEighths(table: Int) {
    compare(
      { $0.resampling.bilinearUInt8 }, table: table,
      elements: { $1.bytes($0, isSigned: false) },
      weigh: { fraction in
        let real = Float(fraction / 128) / 8
        return (Int32(bitPattern: (1 - real).bitPattern), Int32(bitPattern: real.bitPattern))
      }, mix: roundedFloat)
  }

  @Test(arguments: tables.indices)
  func signedBytesByEighths(table: Int) {
    compare(
      { $0.resampling.bilinearInt8 }, table: table,
      elements: { $1.bytes($0, isSigned: true).map { Int8(bitPattern: $0) } },
      weigh: { (Int32(1024 - $0 / 128 * 128), Int32($0 / 128 * 128)) }, mix: mixedInFixedPoint)
  }

  @Test(arguments: tables.indices)
  func nearestCopiesPixels(table: Int) {
    compare(
      { $0.resampling.nearest }, table: table, elements: { $1.bytes($0, isSigned: false) },
      weigh: { _ in (0, 0) }, mix: { corners, _, _ in corners[0] })
  }
}
