import OcellusKernelABI

extension GuardedEntry {
  static let products: [GuardedEntry] = [
    floatProduct("floatGEMM") { $0.floatGEMM },
    floatProduct("floatRow", isRow: true) { $0.floatRow },
    floatProduct("floatWinograd", isWinograd: true) { $0.floatWinograd },
    GuardedEntry(
      "quantizedGEMM",
      [
        "packedByteCountOfRuns", "pack", "scratchByteCount", "run", "runFlipping",
        "sharedWeights.byteCount", "sharedWeights.byteCountBeside", "sharedWeights.pack",
      ].map { "quantizedGEMM.\($0)" }, problems: 300, run: runQuantizedProduct),
    GuardedEntry(
      "quantizedWinograd",
      ["suits", "packedByteCount", "pack", "scratchByteCount", "run"].map {
        "quantizedWinograd.\($0)"
      }, run: runQuantizedWinograd),
    GuardedEntry(
      "int16GEMM",
      ["packedByteCount", "pack", "scratchByteCount", "run"].map { "int16GEMM.\($0)" },
      problems: 200, run: runInt16Product),
    GuardedEntry(
      "blockwiseProduct",
      ["packedByteCount", "pack", "scratchByteCount", "run"].map { "blockwiseProduct.\($0)" },
      run: runBlockwiseProduct),
    GuardedEntry("floatRounding.extremes") { table, operands in
      let count = operands.size("count", 1...300)
      let extremes = table.floatRounding.extremes(operands.floats("input", count: count), count, 0)
      operands.result("extremes", count: 2).update(
        from: [extremes.lowest, extremes.highest], count: 2)
    },
    GuardedEntry("floatRounding.round") { table, operands in
      let count = operands.size("count", 0...300)
      table.floatRounding.round(
        FloatRoundingArguments(
          input: operands.floats("input", count: count), count: count, factor: 90, zeroPoint: 3,
          minimum: -128, maximum: 127, makesUnsigned: operands.bool(),
          output: operands.result("output", byteCount: count)))
    },
    GuardedEntry("scaledProducts.run", run: runScaledProducts),
  ]

  private static func floatProduct(
    _ name: String, isRow: Bool = false, isWinograd: Bool = false,
    of kernel: @escaping @Sendable (KernelTable) -> FloatGEMM?
  ) -> GuardedEntry {
    GuardedEntry(
      name, ["packedByteCount", "pack", "scratchByteCount", "run"].map { "\(name).\($0)" },
      problems: isRow || isWinograd ? 60 : 300
    ) { table, operands in
      guard let gemm = kernel(table) else { return }
      let channels = operands.size("channels", (isWinograd ? 16 : 1)...130)
      let patches =
        isRow
        ? PatchGeometry(matrixOf: 1, depth: channels)
        : isWinograd
          ? operands.winogradWindows(channels: channels) : operands.windows(channels: channels)
      var product = DrawnProduct(
        operands, panelColumns: gemm.panelColumns, patches: patches, wholeLines: isWinograd)
      if isRow { (product.images, product.rows) = (1, 0..<1) }
      let depth = patches.depth
      let packed = operands.scratch(
        "packed", byteCount: gemm.packedByteCount(product.columns, depth))
      var packing = FloatPackingArguments(
        filter: operands.floats("filter", count: product.columns * depth),
        bias: operands.bool() ? operands.floats("bias", count: product.columns) : nil,
        columns: product.columns, depth: depth, packed: packed)
      if !isWinograd, operands.bool() {
        (packing.columnStride, packing.depthStride) = (1, product.columns)
      }
      gemm.pack(packing)
      gemm.run(
        product.block(
          operands, input: operands.floats("input", count: product.inputCount), elementBytes: 4,
          resultBytes: 4, packed: packed, scratchByteCount: gemm.scratchByteCount(product.patches),
          finish: FloatFinish(
            minimum: -900, maximum: 900,
            numerics: isWinograd || operands.bool() ? .fast : .exact)))
    }
  }

  private static let runQuantizedProduct: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let gemm = table.quantizedGEMM
    let channels = operands.size("channels", 1...130)
    let product = DrawnProduct(
      operands, panelColumns: gemm.panelColumns, patches: operands.windows(channels: channels))
    let (columns, depth) = (product.columns, product.patches.depth)
    let isForFewRows = product.allRows <= gemm.fewRows && product.patches.isPointwise
    let runs = isForFewRows || operands.bool() ? 1 : product.patches.runs
    let sharedCount = gemm.sharedWeights.byteCount(columns, depth)
    let areShared = isForFewRows && sharedCount > 0 && operands.bool()
    let scaling = operands.sumScaling(columns: columns)
    let packed = operands.scratch(
      "packed",
      byteCount: areShared
        ? gemm.sharedWeights.byteCountBeside(columns)
        : gemm.packedByteCountOfRuns(columns, depth, runs))
    let isSigned = operands.bool()
    var packing = QuantizedPackingArguments(
      filter: operands.bits("filter", byteCount: columns * depth),
      filterFormat: .init(isSigned: isSigned, zeroPoint: isSigned ? 0 : 119),
      inputFormat: .init(isSigned: operands.bool(), zeroPoint: 5), bias: nil,
      requantization: .sums, columns: columns, depth: depth, runs: runs,
      isForFewRows: isForFewRows, packed: packed)
    if areShared {
      packing.packed = operands.scratch("shared", byteCount: sharedCount)
      gemm.sharedWeights.pack(packing)
      packing.sharedWeights = UnsafeRawPointer(packing.packed)
      packing.packed = packed
    }
    packing.bias =
      operands.bool() ? operands.values("bias", in: -9000...9000, count: columns) : nil
    packing.requantization = scaling.scaling
    gemm.pack(packing)
    let block = product.block(
      operands, input: operands.bits("input", byteCount: product.inputCount), elementBytes: 1,
      resultBytes: scaling.resultBytes, packed: packed,
      scratchByteCount: gemm.scratchByteCount(product.patches),
      finish: operands.finish(packing.inputFormat, scaling, rows: product.allRows))
    (operands.bool() ? gemm.run : gemm.runFlipping)(block)
  }

  private static let runQuantizedWinograd: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    guard let kernel = table.quantizedWinograd else { return }
    let patches = operands.winogradWindows(channels: 2 * operands.size("pairs", 8...65))
    let product = DrawnProduct(
      operands, panelColumns: kernel.panelColumns, patches: patches, wholeLines: true)
    let isSigned = operands.bool()
    let filterFormat = QuantizedFormat(isSigned: isSigned, zeroPoint: isSigned ? 0 : 119)
    _ = kernel.suits(product.patches, product.columns, filterFormat)
    let scaling = operands.sumScaling(columns: product.columns, of: ["fixed point", "hybrid"])
    let packed = operands.scratch(
      "packed", byteCount: kernel.packedByteCount(product.columns, patches.channels))
    let packing = QuantizedPackingArguments(
      filter: operands.bits("filter", byteCount: product.columns * patches.depth),
      filterFormat: filterFormat, inputFormat: .init(isSigned: operands.bool(), zeroPoint: 5),
      bias: operands.bool()
        ? operands.values("bias", in: -9000...9000, count: product.columns) : nil,
      requantization: scaling.scaling, columns: product.columns, depth: patches.depth,
      packed: packed)
    kernel.pack(packing)
    kernel.run(
      product.block(
        operands, input: operands.bits("input", byteCount: product.inputCount), elementBytes: 1,
        resultBytes: scaling.resultBytes, packed: packed,
        scratchByteCount: kernel.scratchByteCount(product.patches),
        finish: operands.finish(packing.inputFormat, scaling, rows: product.allRows)))
  }

  private static let runInt16Product: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let gemm = table.int16GEMM
    let product = DrawnProduct(
      operands, panelColumns: gemm.panelColumns,
      patches: operands.windows(channels: operands.size("channels", 1...130)))
    let (columns, depth) = (product.columns, product.patches.depth)
    let packed = operands.scratch("packed", byteCount: gemm.packedByteCount(columns, depth))
    let isWide = operands.number(0...2) == 0
    gemm.pack(
      Int16PackingArguments(
        filter: operands.bits("filter", byteCount: columns * depth * (isWide ? 2 : 1)),
        isWide: isWide,
        bias: operands.bool() ? operands.values("bias", in: -90_000...90_000, count: columns) : nil,
        requantization: operands.int16Scaling(columns: columns), columns: columns, depth: depth,
        packed: packed))
    gemm.run(
      product.block(
        operands, input: operands.bits("input", byteCount: 2 * product.inputCount), elementBytes: 2,
        resultBytes: 2, packed: packed, scratchByteCount: gemm.scratchByteCount(product.patches),
        finish: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767)))
  }

  private static let runBlockwiseProduct: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let kernel = table.blockwiseProduct
    let shape = BlockwiseShape(
      columns: operands.size("columns", 1...130), blocks: operands.size("blocks", 1...5),
      blockSize: 32 * operands.number(1...4))
    operands.note("blocks of \(shape.blockSize)")
    let rows = operands.size("rows", 1...9)
    let depth = shape.blocks * shape.blockSize
    let packed = operands.scratch("packed", byteCount: kernel.packedByteCount(shape))
    kernel.pack(
      BlockwisePackingArguments(
        shape: shape,
        weights: operands.values("weights", in: -8...7, count: shape.columns * depth),
        scales: operands.floats("scales", count: shape.columns * shape.blocks),
        bias: operands.bool() ? operands.floats("bias", count: shape.columns) : nil,
        packed: packed))
    let panels = (shape.columns + kernel.panelColumns - 1) / kernel.panelColumns
    let first = operands.number(0...panels - 1) * kernel.panelColumns
    // Of the first row what is in front of these columns is not there, nor what is behind them in the last.
    let output = operands.result(
      "output", Float.self, count: rows * shape.columns - first)
    kernel.run(
      BlockwiseArguments(
        shape: shape, input: operands.integers("input", count: rows * depth),
        roundings: operands.values(
          "roundings", [RowRounding](repeating: .init(scale: 0.01, zeroPoint: 3), count: rows)),
        rows: rows, packed: packed, output: output - first, columns: first..<shape.columns,
        scratch: operands.scratch("scratch", byteCount: kernel.scratchByteCount(shape))))
  }

  private static let runScaledProducts: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let kernel = table.scaledProducts
    let columns = operands.size("columns", 1...130), runLength = operands.size("length", 1...70)
    let pixels = operands.size("pixels", 1...20), inputStride = operands.number(0...runLength)
    let width = (columns + kernel.panelColumns - 1) / kernel.panelColumns * kernel.panelColumns
    let runs = [
      ScaledProductRun(input: 2 * runLength, weightRow: 0),
      ScaledProductRun(input: 0, weightRow: 2 * runLength),
    ]
    let outputStride = columns + operands.number(0...3)
    kernel.run(
      ScaledProductArguments(
        input: operands.floats("input", count: 3 * runLength + (pixels - 1) * inputStride),
        scale: 0.5, runs: UnsafeBufferPointer(start: operands.values("runs", runs), count: 2),
        runLength: runLength, inputStride: inputStride,
        weights: operands.floats("weights", count: 3 * runLength * width),
        scales: operands.floats("scales", count: width),
        bias: operands.floats("bias", count: width), columns: columns, minimum: -900, maximum: 900,
        pixels: pixels,
        output: operands.result(
          "output", byteCount: 4 * ((pixels - 1) * outputStride + columns)),
        outputStride: outputStride))
  }
}

extension GuardedOperands {
  /// How sums are scaled, and the bytes of a result.
  struct Scaling {
    var scaling: SumScaling
    var resultBytes: Int
    var isHybrid = false
  }

  /// Products of matrices are scaled in all ways, others in some.
  func sumScaling(
    columns: Int, of ways: [String] = ["sums", "fixed point", "hybrid", "real"]
  ) -> Scaling {
    switch choice(ways) {
    case "sums": return Scaling(scaling: .sums, resultBytes: 4)
    case "fixed point":
      // Sums that are not bounded, that are, and those that are shifted to the left.
      let shifts = choice([-12 ... -3, -9 ... -9, -2...3] as [ClosedRange<Int32>])
      return Scaling(
        scaling: .fixedPoint(
          multipliers: values("multipliers", in: 1 << 30 ... .max, count: columns),
          shifts: values("shifts", in: shifts, count: columns)), resultBytes: 1)
    case "real":
      return Scaling(
        scaling: .real(
          multipliers: values("factors", (0..<columns).map { 0.0001 * Double($0 + 1) })),
        resultBytes: 1)
    default:
      return Scaling(
        scaling: .hybrid(
          scales: floats("scales", count: columns),
          bias: bool() ? floats("float bias", count: columns) : nil), resultBytes: 4,
        isHybrid: true)
    }
  }

  func int16Scaling(columns: Int) -> Int16SumScaling {
    switch choice(["wide", "narrow", "real", "narrow real"]) {
    case "wide":
      return .wide(
        multipliers: values("multipliers", in: 1 << 14...(1 << 15) - 1, count: columns),
        rightShifts: values("shifts", in: 16...40, count: columns))
    case "narrow":
      return .narrow(
        multipliers: values("multipliers", in: 1 << 30 ... .max, count: columns),
        shifts: values("shifts", in: -20 ... -5, count: columns))
    case "real": return .real(multipliers: factors(columns))
    default: return .narrowReal(multipliers: factors(columns))
    }
  }

  private func factors(_ count: Int) -> UnsafePointer<Double> {
    values("factors", (0..<count).map { 0.0000001 * Double($0 + 1) })
  }

  func finish(
    _ inputFormat: QuantizedFormat, _ scaling: Scaling, rows: Int, roundsRows: Bool = true
  ) -> QuantizedFinish {
    let isSigned = inputFormat.isSigned
    var finish = QuantizedFinish(
      inputFormat: inputFormat,
      range: QuantizedRange(
        zeroPoint: choice([-128, 3]) + (isSigned ? 0 : 128), minimum: isSigned ? -128 : 0,
        maximum: isSigned ? 127 : 255))
    guard scaling.isHybrid else { return finish }
    let stride = roundsRows && bool() ? 1 : 0
    let roundings = [RowRounding](
      repeating: .init(scale: 0.25, zeroPoint: 7), count: stride == 1 ? rows : 1)
    finish.hybrid = HybridScaling(
      rows: values("roundings", roundings), stride: stride,
      order: bool() ? .scales : .sumAndColumn, minimum: -900, maximum: 900)
    return finish
  }
}
