import OcellusKernelABI

extension GuardedEntry {
  static let depthwise: [GuardedEntry] = [
    GuardedEntry(
      "floatDepthwise", ofFamily: ["packedByteCount", "pack", "run"], problems: 600
    ) { table, operands in
      let (patches, channels) = operands.depthwiseWindows()
      let kernel = operands.kernel(of: table.floatDepthwise, patches)
      let taps = patches.windowHeight * patches.windowWidth
      let packed = operands.scratch("packed", byteCount: kernel.packedByteCount(channels, taps))
      kernel.pack(
        FloatDepthwisePackingArguments(
          filter: operands.floats("filter", count: taps * channels),
          bias: operands.bool() ? operands.floats("bias", count: channels) : nil,
          channels: channels, taps: taps, packed: packed))
      kernel.run(
        operands.windowBlock(
          patches, elementBytes: 4, resultBytes: 4, packed: packed, scratchByteCount: 0,
          epilogue: FloatEpilogue(
            minimum: -900, maximum: 900, numerics: operands.bool() ? .fast : .exact)))
    },
    GuardedEntry(
      "quantizedDepthwise", ofFamily: ["packedByteCount", "pack", "scratchByteCount", "run"],
      problems: 600, run: runQuantizedDepthwise),
    GuardedEntry(
      "int16Depthwise", ofFamily: ["packedByteCount", "pack", "scratchByteCount", "run"],
      problems: 150
    ) { table, operands in
      let (patches, channels) = operands.depthwiseWindows()
      let kernel = operands.kernel(of: table.int16Depthwise, patches)
      let taps = patches.windowHeight * patches.windowWidth
      let packed = operands.scratch("packed", byteCount: kernel.packedByteCount(channels, taps))
      kernel.pack(
        Int16DepthwisePackingArguments(
          filter: operands.bits("filter", byteCount: taps * channels),
          bias: operands.bool()
            ? operands.values("bias", in: -90_000...90_000, count: channels) : nil,
          requantization: operands.int16Scaling(columns: channels), channels: channels, taps: taps,
          packed: packed))
      kernel.run(
        operands.windowBlock(
          patches, elementBytes: 2, resultBytes: 2, packed: packed,
          scratchByteCount: kernel.scratchByteCount(patches),
          epilogue: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767)))
    },
    GuardedEntry("repeatChannels", problems: 150) { table, operands in
      let elementBytes = operands.choice([1, 2, 4])
      let count = operands.size("count", 1...130)
      let repetitions = operands.size("times", 1...70)
      table.repeatChannels(
        ChannelRepetitionArguments(
          input: operands.bits("input", byteCount: count * elementBytes),
          elementBytes: elementBytes, count: count, repetitions: repetitions,
          output: operands.result("output", byteCount: count * repetitions * elementBytes)))
    },
  ]

  private static let runQuantizedDepthwise: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let (patches, channels) = operands.depthwiseWindows()
    let kernel = operands.kernel(of: table.quantizedDepthwise, patches)
    let taps = patches.windowHeight * patches.windowWidth
    let scaling = operands.sumScaling(columns: channels, of: ["sums", "fixed point", "hybrid"])
    let packed = operands.scratch("packed", byteCount: kernel.packedByteCount(patches))
    let inputFormat = QuantizedFormat(isSigned: operands.bool(), zeroPoint: 5)
    let isSigned = operands.bool()
    kernel.pack(
      QuantizedDepthwisePackingArguments(
        filter: operands.bits("filter", byteCount: taps * channels),
        filterFormat: .init(isSigned: isSigned, zeroPoint: isSigned ? 0 : 119),
        inputFormat: inputFormat,
        bias: operands.bool() ? operands.values("bias", in: -9000...9000, count: channels) : nil,
        requantization: scaling.scaling, geometry: patches, packed: packed))
    kernel.run(
      operands.windowBlock(
        patches, elementBytes: 1, resultBytes: scaling.resultBytes, packed: packed,
        scratchByteCount: kernel.scratchByteCount(patches),
        epilogue: operands.applyEpilogue(inputFormat, scaling, rows: 1, roundsRows: false)))
  }
}

extension GuardedOperands {
  /// Returns one of the strategies of a family that accept a problem.
  func kernel<Problem, Kernel>(
    of family: KernelFamily<Problem, Kernel>, _ problem: Problem
  ) -> Kernel {
    let accepting = family.accepting(problem)
    let strategy = accepting[number(0...accepting.count - 1)]
    note(strategy.name)
    return strategy.kernel
  }

  /// Random depthwise windows, sometimes a single one that covers its image.
  func depthwiseWindows() -> (PatchGeometry, channels: Int) {
    let channels = size("channels", 1...(number(0...7) == 0 ? 530 : 130))
    var patches = windows(channels: channels)
    if number(0...7) == 0 {
      (patches.inputHeight, patches.inputWidth) = (number(1...9), number(1...9))
      (patches.windowHeight, patches.windowWidth) = (patches.inputHeight, patches.inputWidth)
      (patches.dilationHeight, patches.dilationWidth) = (1, 1)
      (patches.paddingTop, patches.paddingLeft) = (0, 0)
      (patches.outputHeight, patches.outputWidth) = (1, 1)
    }
    return (patches, channels)
  }

  /// A block of random pixels of the windows over several images, with memory for these pixels
  /// only.
  func windowBlock<Epilogue>(
    _ patches: PatchGeometry, elementBytes: Int, resultBytes: Int, packed: UnsafeRawPointer,
    scratchByteCount: Int, epilogue: Epilogue
  ) -> WindowBlock<Epilogue> {
    let images = number(1...3)
    let channels = patches.channels
    let count = images * patches.outputHeight * patches.outputWidth
    var pixels = 0..<count
    if bool() {
      let first = number(0...count - 1)
      pixels = first..<number(first + 1...count)
    }
    note(
      """
      \(patches.description)/\(patches.windowWidth), stride \(patches.strideWidth), left \(patches.paddingLeft), \
      dilation \(patches.dilationWidth), to \(patches.outputHeight)×\(patches.outputWidth), \(images) images, pixels \(pixels)
      """)
    let first = pixels.lowerBound * channels * resultBytes
    let output = result("output", byteCount: pixels.count * channels * resultBytes)
    return WindowBlock(
      patches: patches,
      input: bitsOrFloats(
        elementBytes, count: images * patches.inputHeight * patches.inputWidth * channels),
      packed: packed, output: output - first, pixels: pixels, epilogue: epilogue,
      scratch: scratch("scratch", byteCount: scratchByteCount))
  }

  /// An input of bytes, 16-bit numbers or floats.
  func bitsOrFloats(_ elementBytes: Int, count: Int) -> UnsafeRawPointer {
    elementBytes == 4
      ? UnsafeRawPointer(floats("input", count: count))
      : bits("input", byteCount: count * elementBytes)
  }
}
