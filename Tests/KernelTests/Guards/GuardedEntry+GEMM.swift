import OcellusKernelABI

extension GuardedEntry {
  private static func ofFloats(
    _ name: String,
    _ family: @escaping @Sendable (KernelTable) -> KernelFamily<GEMMProblem, FloatGEMM>
  ) -> GuardedEntry {
    GuardedEntry(
      name, ofFamily: ["packedByteCount", "pack", "scratchByteCount", "run"], problems: 400
    ) { table, operands in
      let product = DrawnGEMM(
        operands, panelColumns: table.floatColumns,
        patches: operands.windows(channels: operands.size("channels", 1...130)))
      let kernel = operands.kernel(
        of: family(table),
        GEMMProblem(product.patches, rows: product.allRows, columns: product.columns))
      runFloatProduct(kernel, product, operands)
    }
  }

  static let products: [GuardedEntry] = [
    ofFloats("floatGEMM") { $0.floatGEMM },
    ofFloats("bfloat16GEMM") { $0.bfloat16GEMM },
    GuardedEntry(
      "floatWinograd",
      ["packedByteCount", "pack", "scratchByteCount", "run"].map { "floatWinograd.\($0)" }
    ) { table, operands in
      guard let kernel = table.floatWinograd else { return }
      let product = DrawnGEMM(
        operands, panelColumns: kernel.panelColumns,
        patches: operands.winogradWindows(channels: operands.size("channels", 16...130)),
        wholeLines: true)
      runFloatProduct(kernel, product, operands)
    },
    GuardedEntry(
      "quantizedGEMM",
      ofFamily: [
        "tileRows", "packedByteCount", "pack", "scratchByteCount", "run", "sharedWeights.byteCount",
        "sharedWeights.unsharedByteCount", "sharedWeights.pack",
      ], problems: 500, run: runQuantizedProduct),
    GuardedEntry(
      "int16GEMM",
      ["packedByteCount", "pack", "scratchByteCount", "run"].map { "int16GEMM.\($0)" },
      problems: 200, run: runInt16Product),
    GuardedEntry(
      "blockwiseGEMM",
      ["packedByteCount", "pack", "scratchByteCount", "run"].map { "blockwiseGEMM.\($0)" },
      run: runBlockwiseProduct),
    GuardedEntry("floatQuantization.extremes") { table, operands in
      let count = operands.size("count", 1...300)
      let extremes = table.floatQuantization.extremes(
        operands.floats("input", count: count), count, 0)
      operands.result("extremes", count: 2).update(
        from: [extremes.lowest, extremes.highest], count: 2)
    },
    GuardedEntry("floatQuantization.round") { table, operands in
      let count = operands.size("count", 0...300)
      table.floatQuantization.round(
        FloatQuantizationArguments(
          input: operands.floats("input", count: count), count: count, factor: 90, zeroPoint: 3,
          minimum: -128, maximum: 127, makesUnsigned: operands.bool(),
          output: operands.result("output", byteCount: count)))
    },
    GuardedEntry("scaledProducts.run", run: runScaledProducts),
  ]

  /// Problems with pairs of image rows are those of Winograd's method, which has no exact numerics.
  private static func runFloatProduct(
    _ kernel: FloatGEMM, _ product: DrawnGEMM, _ operands: GuardedOperands
  ) {
    let (columns, depth) = (product.columns, product.patches.depth)
    let packed = operands.scratch(
      "packed", byteCount: kernel.packedByteCount(columns, product.patches))
    var packing = FloatPackingArguments(
      filter: operands.floats("filter", count: columns * depth),
      bias: operands.bool() ? operands.floats("bias", count: columns) : nil, columns: columns,
      patches: product.patches, packed: packed)
    if !product.makesPairs, operands.bool() {
      (packing.columnStride, packing.depthStride) = (1, columns)
    }
    kernel.pack(packing)
    kernel.run(
      product.block(
        operands, input: operands.floats("input", count: product.inputCount), elementBytes: 4,
        resultBytes: 4, packed: packed, scratchByteCount: kernel.scratchByteCount(product.patches),
        epilogue: FloatEpilogue(
          minimum: -900, maximum: 900,
          numerics: product.makesPairs || operands.bool() ? .fast : .exact)))
  }

  /// Every third problem has 3×3 windows that Winograd's method accepts.
  private static let runQuantizedProduct: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let isOfPairs = operands.number(0...2) == 0
    let product = DrawnGEMM(
      operands, panelColumns: table.byteColumns,
      patches: isOfPairs
        ? operands.winogradWindows(channels: 2 * operands.size("pairs", 1...65))
        : operands.windows(channels: operands.size("channels", 1...130)), wholeLines: isOfPairs)
    let columns = product.columns
    let scaling = operands.sumScaling(columns: columns)
    let inputFormat = QuantizedFormat(isSigned: operands.bool(), zeroPoint: 5)
    let isSigned = operands.bool()
    var problem = GEMMProblem(
      product.patches, rows: product.allRows, columns: columns, rowBytes: inputFormat.rowBytes,
      filter: .init(isSigned: isSigned, zeroPoint: isSigned ? 0 : 119), results: scaling.results)
    problem.isRowByRow = !isOfPairs
    let kernel = operands.kernel(of: table.quantizedGEMM, problem)
    _ = kernel.tileRows(product.patches)
    let sharedCount = kernel.sharedWeights.byteCount(columns, product.patches.depth)
    let areShared = sharedCount > 0 && operands.bool()
    let packed = operands.scratch(
      "packed",
      byteCount: areShared
        ? kernel.sharedWeights.unsharedByteCount(columns)
        : kernel.packedByteCount(columns, product.patches))
    var packing = QuantizedPackingArguments(
      filter: operands.bits("filter", byteCount: columns * product.patches.depth),
      filterFormat: problem.filter, inputFormat: inputFormat, bias: nil, requantization: .sums,
      columns: columns, patches: product.patches, packed: packed)
    if areShared {
      packing.packed = operands.scratch("shared", byteCount: sharedCount)
      kernel.sharedWeights.pack(packing)
      packing.sharedWeights = UnsafeRawPointer(packing.packed)
      packing.packed = packed
    }
    packing.bias =
      operands.bool() ? operands.values("bias", in: -9000...9000, count: columns) : nil
    packing.requantization = scaling.scaling
    kernel.pack(packing)
    kernel.run(
      product.block(
        operands, input: operands.bits("input", byteCount: product.inputCount), elementBytes: 1,
        resultBytes: scaling.resultBytes, packed: packed,
        scratchByteCount: kernel.scratchByteCount(product.patches),
        epilogue: operands.applyEpilogue(inputFormat, scaling, rows: product.allRows)))
  }

  private static let runInt16Product: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let gemm = table.int16GEMM
    let product = DrawnGEMM(
      operands, panelColumns: gemm.panelColumns,
      patches: operands.windows(channels: operands.size("channels", 1...130)))
    let (columns, depth) = (product.columns, product.patches.depth)
    let packed = operands.scratch("packed", byteCount: gemm.packedByteCount(columns, depth))
    let has16BitWeights = operands.number(0...2) == 0
    gemm.pack(
      Int16PackingArguments(
        filter: operands.bits("filter", byteCount: columns * depth * (has16BitWeights ? 2 : 1)),
        has16BitWeights: has16BitWeights,
        bias: operands.bool() ? operands.values("bias", in: -90_000...90_000, count: columns) : nil,
        requantization: operands.int16Scaling(columns: columns), columns: columns, depth: depth,
        packed: packed))
    gemm.run(
      product.block(
        operands, input: operands.bits("input", byteCount: 2 * product.inputCount), elementBytes: 2,
        resultBytes: 2, packed: packed, scratchByteCount: gemm.scratchByteCount(product.patches),
        epilogue: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767)))
  }

  private static let runBlockwiseProduct: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let kernel = table.blockwiseGEMM
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
    // The output has no memory in front of the first row's computed columns.
    let output = operands.result(
      "output", Float.self, count: rows * shape.columns - first)
    kernel.run(
      BlockwiseArguments(
        shape: shape, input: operands.integers("input", count: rows * depth),
        roundings: operands.values(
          "roundings", [RowQuantization](repeating: .init(scale: 0.01, zeroPoint: 3), count: rows)),
        rows: rows, packed: packed, output: output - first, columns: first..<shape.columns,
        scratch: operands.scratch("scratch", byteCount: kernel.scratchByteCount(shape))))
  }

  private static let runScaledProducts: @Sendable (KernelTable, GuardedOperands) -> Void = {
    table, operands in
    let kernel = table.scaledProducts
    let columns = operands.size("columns", 1...130)
    let runLength = operands.size("length", 1...70)
    let pixels = operands.size("pixels", 1...20)
    let inputStride = operands.number(0...runLength)
    let width = (columns + kernel.panelColumns - 1) / kernel.panelColumns * kernel.panelColumns
    let runs = [
      ScaledProductSegment(input: 2 * runLength, weightRow: 0),
      ScaledProductSegment(input: 0, weightRow: 2 * runLength),
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
  /// The scaling of sums, and the size of a result.
  struct Scaling {
    var scaling: SumScaling
    var resultBytes: Int
    var isHybrid = false

    var results: GEMMProblem.Results {
      switch scaling {
      case .sums: .sums
      case .fixedPoint: .bytes
      case .single: .bytesOfRealScales
      case .real: .bytesOfRealScales
      case .hybrid: .floats
      }
    }
  }

  /// Returns a random scaling; GEMMs support all of them, and other kernels only some.
  func sumScaling(
    columns: Int, of ways: [String] = ["sums", "fixed point", "hybrid", "real"]
  ) -> Scaling {
    switch choice(ways) {
    case "sums": return Scaling(scaling: .sums, resultBytes: 4)
    case "fixed point":
      // Unbounded sums, bounded sums, and sums that are shifted to the left.
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
      return .sums64(
        multipliers: values("multipliers", in: 1 << 14...(1 << 15) - 1, count: columns),
        rightShifts: values("shifts", in: 16...40, count: columns))
    case "narrow":
      return .sums32(
        multipliers: values("multipliers", in: 1 << 30 ... .max, count: columns),
        shifts: values("shifts", in: -20 ... -5, count: columns))
    case "real": return .real(multipliers: factors(columns))
    default: return .sums32Real(multipliers: factors(columns))
    }
  }

  private func factors(_ count: Int) -> UnsafePointer<Double> {
    values("factors", (0..<count).map { 0.0000001 * Double($0 + 1) })
  }

  func applyEpilogue(
    _ inputFormat: QuantizedFormat, _ scaling: Scaling, rows: Int, roundsRows: Bool = true
  ) -> QuantizedEpilogue {
    let isSigned = inputFormat.isSigned
    var epilogue = QuantizedEpilogue(
      inputFormat: inputFormat,
      range: QuantizedRange(
        zeroPoint: choice([-128, 3]) + (isSigned ? 0 : 128), minimum: isSigned ? -128 : 0,
        maximum: isSigned ? 127 : 255))
    guard scaling.isHybrid else { return epilogue }
    let stride = roundsRows && bool() ? 1 : 0
    let roundings = [RowQuantization](
      repeating: .init(scale: 0.25, zeroPoint: 7), count: stride == 1 ? rows : 1)
    epilogue.hybrid = HybridScaling(
      rows: values("roundings", roundings), stride: stride,
      order: bool() ? .scales : .sumAndColumn, minimum: -900, maximum: 900)
    return epilogue
  }
}
