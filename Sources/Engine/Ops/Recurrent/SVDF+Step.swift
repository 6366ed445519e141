import OcellusKernelABI

extension SVDF {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    switch arithmetic {
    case .integer(let feature, let time):
      return IntegerFilters(context, self, feature, time).map { filters in
        step("int8", scratchByteCount: filters.scratchByteCount, context, filters.run)
      }
    case .float(.none) where isBuiltIn:
      return FloatFilters<RecurrentLaneGEMM>(context, self).map { filters in
        step("float32", scratchByteCount: filters.scratchByteCount, context, filters.run)
      }
    case .float(.none):
      return FloatFilters<RecurrentFloatGEMM>(context, self).map { filters in
        step("float32", scratchByteCount: filters.scratchByteCount, context, filters.run)
      }
    case .float(let rounding):
      let filters = FloatFilters<RecurrentHybridGEMM>(
        context, self, isAsymmetric: rounding == .asymmetric)
      return filters.map { filters in
        step("float32×int8", scratchByteCount: filters.scratchByteCount, context, filters.run)
      }
    }
  }

  private func step(
    _ type: String, scratchByteCount: Int, _ context: PlanContext,
    _ body: @escaping @Sendable (StepContext) -> Void
  ) -> Step {
    Step(
      kernelName: "svdf \(type) \(context.kernels.name)", scratchByteCount: scratchByteCount,
      body: body)
  }
}

/// The integer SVDF on the tuned kernels: a matrix multiplication of the inputs, then the filters'
/// memories.
private struct IntegerFilters: Sendable {
  private let gemm: QuantizedGEMM
  private let cells: RecurrentCells
  private let packed: PackedBlock
  private let inputs: PatchGeometry
  private let inputFormat: QuantizedFormat
  private let batchCount: Int
  /// The number of items in one kernel call.
  private let rowsPerCall: Int
  private let filterCount: Int
  private let memory: Int
  private let rank: Int
  private let hasBias: Bool
  private let featureFactor: FixedPointFactor
  private let outputFactor: FixedPointFactor
  private let outputZeroPoint: Int32

  init?(
    _ context: PlanContext, _ svdf: SVDF, _ feature: FixedPointMultiplier,
    _ time: FixedPointMultiplier
  ) {
    guard let weights = context.constants[1], let input = context.inputShapes[0],
      let timeWeights = context.inputShapes[2], (-128...127).contains(svdf.inputZeroPoint),
      let featureFactor = feature.kernelFactor, let outputFactor = time.kernelFactor
    else { return nil }
    cells = context.kernels.recurrentCells
    (self.featureFactor, self.outputFactor) = (featureFactor, outputFactor)
    (batchCount, filterCount, memory) = (input[0], weights.shape[0], timeWeights[1])
    rank = svdf.rank
    hasBias = context.node.optionalInput(3) != nil
    outputZeroPoint = svdf.outputZeroPoint
    inputs = PatchGeometry(matrixOf: input[0], depth: input[1])
    let format = QuantizedFormat(isSigned: true, zeroPoint: Int32(svdf.inputZeroPoint))
    inputFormat = format
    let chosen = context.chooseQuantizedGEMM(
      GEMMProblem(
        inputs, rows: input[0], columns: weights.shape[0], rowBytes: format.rowBytes,
        results: .sums))
    gemm = chosen.kernel
    rowsPerCall = WorkItemGrid.rowsPerCall(
      depth: input[1], columns: weights.shape[0], multipleOf: gemm.tileRows(inputs))
    packed = Self.pack(weights, inputs, format, chosen, context)
  }

  private static func pack(
    _ weights: TensorView, _ rows: PatchGeometry, _ format: QuantizedFormat,
    _ chosen: ChosenStrategy<QuantizedGEMM>, _ context: PlanContext
  ) -> PackedBlock {
    let (kernel, columns) = (chosen.kernel, weights.shape[0])
    return context.packedWeights(
      "filters, \(chosen.choice.name)", byteCount: kernel.packedByteCount(columns, rows)
    ) {
      guard let filter = weights.bytes.baseAddress else { return }
      kernel.pack(
        QuantizedPackingArguments(
          filter: filter, filterFormat: QuantizedFormat(isSigned: true, zeroPoint: 0),
          inputFormat: format, bias: nil, requantization: .sums, columns: columns, patches: rows,
          packed: $0))
    }
  }

  // Scratch memory: the sums of all items, the results of one in whole vectors, the GEMM's own.

  private var sumStride: Int {
    (filterCount + cells.laneCount - 1) / cells.laneCount * cells.laneCount
  }
  private var resultOffset: Int { batchCount * sumStride * 4 }
  private var kernelOffset: Int { ArenaPlanner.aligned(resultOffset + sumStride) }
  var scratchByteCount: Int { kernelOffset + gemm.scratchByteCount(inputs) }

  func run(_ step: StepContext) {
    step.workers.forEachSlice(of: 0..<batchCount, length: rowsPerCall) { rows in
      gemm.run(
        GEMMBlock(
          patches: inputs, input: step.input(0), packed: packed.base, output: step.scratch,
          outputStride: sumStride, rows: rows, columns: 0..<filterCount,
          epilogue: QuantizedEpilogue(
            inputFormat: inputFormat, range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0)),
          scratch: step.scratch + kernelOffset))
    }
    let units = filterCount / rank
    let states = UnsafeMutableRawPointer(mutating: step.input(4))
      .assumingMemoryBound(to: Int16.self)
    let result = (step.scratch + resultOffset).assumingMemoryBound(to: Int8.self)
    for batch in 0..<batchCount {
      if batch > 0, step.workers.isOver { return }
      let sums = step.scratch.assumingMemoryBound(to: Int32.self) + batch * sumStride
      cells.integerFilters(
        IntegerFilterArguments(
          sums: sums, states: states + batch * filterCount * memory,
          weights: step.input(2).assumingMemoryBound(to: Int16.self),
          bias: hasBias ? step.input(3).assumingMemoryBound(to: Int32.self) : nil,
          output: result, filters: filterCount, memory: memory, rank: rank,
          featureFactor: featureFactor, outputFactor: outputFactor,
          outputZeroPoint: outputZeroPoint))
      (step.output(0) + batch * units).copyMemory(from: result, byteCount: units)
    }
  }
}
