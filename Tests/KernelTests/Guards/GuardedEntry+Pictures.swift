import OcellusKernelABI

extension GuardedEntry {
  static let pictures: [GuardedEntry] =
    filters + [
      bilinear("bilinear") { $0.bilinear },
      bilinear("bilinearTransposed") { $0.bilinearTransposed },
      GuardedEntry("pictures.nearest") { table, operands in
        let channels = operands.size("channels", 1...4)
        let width = operands.size("width", 1...70)
        let count = operands.size("count", 1...130)
        table.pictures.nearest(
          NearestRowArguments(
            input: operands.bits("input", byteCount: width * channels + pictureSlack),
            output: operands.result("output", byteCount: count * channels),
            columns: operands.values("columns", in: 0...Int32(width - 1), count: count),
            count: count, channels: channels))
      },
      GuardedEntry("pictures.recolored", problems: 150) { table, operands in
        let orders: [PixelOrder] = [.gray, .rgb, .rgba, .bgra]
        let from = operands.choice(orders)
        let to = operands.choice(orders)
        let count = operands.size("count", 1...130)
        let output = operands.state(
          "output", UInt8.self, count: count * to.byteCount + pictureSlack)
        table.pictures.recolored(
          RecolorArguments(
            input: operands.bits("input", byteCount: count * from.byteCount), inputOrder: from,
            output: output, outputOrder: to, count: count))
        operands.forgetSlack(output, behind: count * to.byteCount, pictureSlack)
      },
      GuardedEntry("pictures.rgbFromYCbCr", problems: 100) { table, operands in
        let count = operands.size("count", 1...130)
        let startsOdd = operands.bool()
        let pairs = (count + (startsOdd ? 2 : 1)) / 2
        let step = operands.choice([1, 2])
        // If Cb and Cr are interleaved, the last Cb lies in front of the last Cr.
        let first = operands.bits("colors", byteCount: pairs * step)
        let second = step == 2 ? first + 1 : operands.bits("cr", byteCount: pairs)
        let output = operands.state("output", UInt8.self, count: 3 * count + pictureSlack)
        table.pictures.rgbFromYCbCr(
          YCbCrRowArguments(
            luma: operands.bits("luma", byteCount: count), cb: first, cr: second, colorStep: step,
            startsOdd: startsOdd, output: output, count: count, lumaOffset: 16,
            factors: YCbCrFactors(
              luma: 1_220_542, redFromCr: 1_673_527, greenFromCr: -852_492,
              greenFromCb: -409_993, blueFromCb: 2_116_026)))
        operands.forgetSlack(output, behind: 3 * count, pictureSlack)
      },
      GuardedEntry("pictures.normalized") { table, operands in
        let count = operands.size("count", 1...300)
        let period = NormalizationArguments.period
        table.pictures.normalized(
          NormalizationArguments(
            input: operands.bits("input", byteCount: count),
            output: operands.result("output", byteCount: 4 * count), count: count,
            means: operands.floats("means", count: period),
            deviations: operands.floats("deviations", count: period)))
      },
    ]

  private static let filters: [GuardedEntry] = [
    along("fixedPointHorizontal", taps: [4, 8, 20], weightBytes: 4, resultBytes: 1) {
      $0.fixedPointHorizontal
    },
    along("linearHorizontal", taps: [2], weightBytes: 2, resultBytes: 2) { $0.linearHorizontal },
    along("areaHorizontal", taps: [1, 2, 3, 4, 9], weightBytes: 4, resultBytes: 4, isFloat: true) {
      $0.areaHorizontal
    },
    along("linearBytesHorizontal", taps: [2], inputBytes: 2, weightBytes: 2, resultBytes: 1) {
      $0.linearBytesHorizontal
    },
    across("fixedPointVertical", taps: [1, 3, 5], inputBytes: 1, weightBytes: 4, resultBytes: 1) {
      $0.fixedPointVertical
    },
    across("linearVertical", taps: [2], inputBytes: 2, weightBytes: 2, resultBytes: 1) {
      $0.linearVertical
    },
    across("linearSumsVertical", taps: [1, 2], inputBytes: 1, weightBytes: 2, resultBytes: 2) {
      $0.linearSumsVertical
    },
    across("areaVertical", taps: [1, 3, 8], inputBytes: 4, weightBytes: 4, resultBytes: 1) {
      $0.areaVertical
    },
  ]

  private static func along(
    _ name: String, taps: [Int], inputBytes: Int = 1, weightBytes: Int, resultBytes: Int,
    isFloat: Bool = false,
    of kernel: @escaping @Sendable (PictureKernels) -> PictureKernels.HorizontalFilter
  ) -> GuardedEntry {
    GuardedEntry("pictures.\(name)", problems: 100) { table, operands in
      let channels = operands.size("channels", 1...4)
      let count = operands.size("count", 1...130)
      let taps = operands.choice(taps)
      let rows = inputBytes == 1 ? operands.size("rows", 1...6) : 1
      let width = taps + operands.number(0...70)
      let inputs = (0..<rows).map { _ in
        operands.bits("input", byteCount: inputBytes * width * channels + pictureSlack)
      }
      let byteCount = count * channels * resultBytes
      let outputs = (0..<rows).map { _ in
        UnsafeMutableRawPointer(
          operands.state("output", UInt8.self, count: byteCount + pictureSlack))
      }
      let weights =
        isFloat
        ? UnsafeRawPointer(operands.floats("weights", count: count * taps))
        : operands.bits("weights", byteCount: weightBytes * count * taps)
      kernel(table.pictures)(
        HorizontalFilterArguments(
          inputs: operands.values("inputs", inputs), outputs: operands.values("outputs", outputs),
          rowCount: rows, count: count, channels: channels,
          firsts: operands.values("firsts", in: 0...Int32(width - taps), count: count),
          weights: weights, taps: taps))
      for output in outputs { operands.forgetSlack(output, behind: byteCount, pictureSlack) }
    }
  }

  private static func across(
    _ name: String, taps: [Int], inputBytes: Int, weightBytes: Int, resultBytes: Int,
    of kernel: @escaping @Sendable (PictureKernels) -> PictureKernels.VerticalFilter
  ) -> GuardedEntry {
    GuardedEntry("pictures.\(name)", problems: 100) { table, operands in
      let count = operands.size("count", 1...300)
      let taps = operands.choice(taps)
      func numbers(_ name: String, _ bytes: Int, _ count: Int) -> UnsafeRawPointer {
        bytes == 4 && inputBytes == 4
          ? UnsafeRawPointer(operands.floats(name, count: count))
          : operands.bits(name, byteCount: bytes * count)
      }
      let rows = (0..<taps).map { _ in numbers("row", inputBytes, count) }
      // Linear filters have two weights, even for one row.
      let weightCount = name.hasPrefix("linear") ? 2 : taps
      kernel(table.pictures)(
        VerticalFilterArguments(
          rows: operands.values("rows", rows),
          output: operands.result("output", byteCount: count * resultBytes), count: count,
          weights: numbers("weights", weightBytes, weightCount), taps: taps, scale: 30, offset: 1))
    }
  }

  private static func bilinear(
    _ name: String,
    of kernel: @escaping @Sendable (PictureKernels) -> @Sendable (BilinearRowArguments) -> Void
  ) -> GuardedEntry {
    GuardedEntry("pictures.\(name)", problems: 100) { table, operands in
      let channels = operands.size("channels", 1...4)
      let width = operands.size("width", 2...70)
      let count = operands.size("count", 1...130)
      let isMirrored = operands.bool()
      let places = (0..<count).map { _ in
        let left = Int32(operands.number(0...width - 2))
        // At the edges of a picture, both positions are the same pixel.
        if operands.number(0...5) == 0 { return PixelPosition(lower: left + 1, upper: left + 1) }
        return isMirrored
          ? PixelPosition(lower: left + 1, upper: left)
          : PixelPosition(lower: left, upper: left + 1)
      }
      let byteCount = width * channels + pictureSlack
      kernel(table.pictures)(
        BilinearRowArguments(
          upper: operands.bits("upper", byteCount: byteCount),
          lower: operands.bits("lower", byteCount: byteCount), upperWeight: 0.3, lowerWeight: 0.7,
          output: operands.result("output", byteCount: count * channels),
          columns: operands.values("columns", places), count: count, channels: channels,
          isMirrored: isMirrored))
    }
  }
}

extension GuardedOperands {
  /// Clears the slack that a kernel may have written behind its result, which nobody reads.
  fileprivate func forgetSlack(
    _ output: UnsafeMutableRawPointer, behind byteCount: Int, _ slack: Int
  ) {
    (output + byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: slack)
  }
}
