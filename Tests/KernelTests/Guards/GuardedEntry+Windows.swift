import OcellusKernelABI

extension GuardedEntry {
  static let windows: [GuardedEntry] = [
    pool("maximumFloat", 4) { $0.maximumFloat },
    pool("averageFloat", 4) { $0.averageFloat },
    pool("maximumUInt8", 1) { $0.maximumUInt8 },
    pool("maximumInt8", 1) { $0.maximumInt8 },
    pool("averageUInt8", 1) { $0.averageUInt8 },
    pool("averageInt8", 1) { $0.averageInt8 },
    pool("maximumFloatWithIndex", 4, returnsArgmax: true) { $0.maximumFloatWithIndex },
    GuardedEntry("pooling.unpoolFloat", problems: 100) { table, operands in
      let channels = operands.size("channels", 1...130)
      let width = operands.size("width", 1...20)
      let (height, columns) = (operands.number(1...3), operands.number(1...3))
      let lines = operands.size("lines", 1...9)
      let first = operands.number(0...lines - 1)
      let count = lines * width * channels
      let size = height * columns
      let resultCount = (lines - first) * width * size * channels
      _ = table.pooling.unpoolFloat(
        UnpoolingArguments(
          input: operands.floats("input", count: count),
          indices: operands.values(
            "places", (0..<count).map { _ in Float(operands.number(0...size - 1)) }),
          output: operands.result("output", Float.self, count: resultCount)
            - first * width * size * channels,
          rows: first..<lines, columnCount: width, channels: channels, windowHeight: height,
          windowWidth: columns))
    },
    resampling("bilinearFloat", 4, weights: .real) { $0.bilinearFloat },
    resampling("bilinearUInt8", 1, weights: .real) { $0.bilinearUInt8 },
    resampling("bilinearInt8", 1, weights: .fixed) { $0.bilinearInt8 },
    resampling("bilinearInt16", 2, weights: .fixed) { $0.bilinearInt16 },
    resampling("nearest", 1, weights: .none) { $0.nearest },
  ]

  private static func pool(
    _ name: String, _ elementBytes: Int, returnsArgmax: Bool = false,
    of kernel: @escaping @Sendable (Pooling) -> Pooling.Kernel
  ) -> GuardedEntry {
    GuardedEntry("pooling.\(name)", problems: 150) { table, operands in
      let channels = operands.size("channels", 1...(operands.bool() ? 130 : 600))
      var windows = operands.windows(channels: channels)
      (windows.dilationHeight, windows.dilationWidth) = (1, 1)
      windows.closeToInput()
      let images = operands.number(1...3)
      let lines = images * windows.outputHeight
      let first = operands.bool() ? 0 : operands.number(0...lines - 1)
      operands.note(
        "\(windows.description)/\(windows.windowWidth) left \(windows.paddingLeft), \(images) images, lines from \(first)"
      )
      let rowElements = windows.outputWidth * channels
      let skipped = first * rowElements * elementBytes
      let byteCount = (lines - first) * rowElements * elementBytes
      let output = operands.result("output", byteCount: byteCount) - skipped
      let indices = returnsArgmax ? operands.result("places", byteCount: byteCount) - skipped : nil
      let count = images * windows.inputHeight * windows.inputWidth * channels
      kernel(table.pooling)(
        PoolingArguments(
          windows: windows, input: operands.bitsOrFloats(elementBytes, count: count),
          imageCount: images, output: output, indices: indices, rows: first..<lines,
          lowerBound: name.hasSuffix("UInt8") ? 3 : -100, upperBound: 100,
          scratch: operands.scratch("scratch", byteCount: table.pooling.scratchByteCount)))
    }
  }

  /// The representation of interpolation weights.
  private enum Weights { case none, real, fixed }

  private static func resampling(
    _ name: String, _ elementBytes: Int, weights: Weights,
    of kernel: @escaping @Sendable (Resampling) -> Resampling.Kernel
  ) -> GuardedEntry {
    @Sendable func positions(
      _ operands: GuardedOperands, _ name: String, _ count: Int, in extent: Int
    )
      -> UnsafePointer<PixelPosition>
    {
      // Weights with 3 fractional bits, as upscaling by two has them, have kernels of their own.
      let step = operands.choice([1, 128])
      return operands.values(
        name,
        (0..<count).map { _ in
          let lower = operands.number(0...extent - 1)
          let fraction = operands.number(0...1024) / step * step
          let weights: (Int32, Int32) =
            switch weights {
            case .none: (0, 0)
            case .fixed: (Int32(1024 - fraction), Int32(fraction))
            case .real:
              (
                Int32(bitPattern: (1 - Float(fraction) / 1024).bitPattern),
                Int32(bitPattern: (Float(fraction) / 1024).bitPattern)
              )
            }
          return PixelPosition(
            lower: Int32(lower), upper: Int32(min(lower + 1, extent - 1)),
            lowerWeight: weights.0, upperWeight: weights.1)
        })
    }
    return GuardedEntry(
      "resampling.\(name)", ["resampling.\(name)", "resampling.scratchByteCount"], problems: 150
    ) { table, operands in
      let channels = operands.size("channels", 1...130)
      let height = operands.number(1...5)
      let width = operands.size("width", 1...70)
      let rows = operands.size("rows", 1...6)
      let columns = operands.size("columns", 1...70)
      let count = height * width * channels
      kernel(table.resampling)(
        ResamplingArguments(
          input: operands.bitsOrFloats(elementBytes, count: count),
          output: operands.result(
            "output", byteCount: rows * columns * channels * elementBytes),
          rows: positions(operands, "row places", rows, in: height), rowCount: rows,
          columns: positions(operands, "column places", columns, in: width), columnCount: columns,
          inputWidth: width, channels: channels,
          scratch: operands.scratch(
            "scratch",
            byteCount: table.resampling.scratchByteCount(width * channels, columns * channels))))
    }
  }
}

extension PatchGeometry {
  /// Removes windows that cover padding alone, because a pool has no result for them.
  fileprivate mutating func closeToInput() {
    outputHeight = max(1, min(outputHeight, (inputHeight + paddingTop - 1) / strideHeight + 1))
    outputWidth = max(1, min(outputWidth, (inputWidth + paddingLeft - 1) / strideWidth + 1))
    paddingTop = min(paddingTop, windowHeight - 1)
    paddingLeft = min(paddingLeft, windowWidth - 1)
    outputHeight = max(1, min(outputHeight, (inputHeight + paddingTop - 1) / strideHeight + 1))
    outputWidth = max(1, min(outputWidth, (inputWidth + paddingLeft - 1) / strideWidth + 1))
  }
}
