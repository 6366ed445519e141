import OcellusKernelABI

/// The integer LSTM on the tuned kernels.
///
/// Inputs are multiplied many rows at a time, the last outputs step by step.
struct IntegerLSTMStep: TunedCell {
  private let inputGEMM: QuantizedGEMM
  private let stateGEMM: QuantizedGEMM
  private let cells: RecurrentCells
  private let sizes: LSTMSizes
  private let scales: IntegerLSTMScales
  private let outputState: Int
  private let cellState: Int
  private let inputWeights: PackedBlock
  private let stateWeights: PackedBlock
  private let inputFormat: QuantizedFormat
  private let stateFormat: QuantizedFormat
  private let inputRows: PatchGeometry
  private let stateRow: PatchGeometry
  /// The number of columns of each gate: the cells, padded to whole vectors.
  private let gateColumns: Int
  let blockRows: Int

  /// - Returns: `nil` for cells with more than gates, and for numbers that only the reference loops
  ///   take.
  init?(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ cell: LSTMCell8x8x16, _ sizes: LSTMSizes,
    _ layout: SequenceLayout
  ) {
    guard spec.isPlain,
      let scales = cell.kernelScales,
      let weights = GateWeights<Int8, Int32>(context, spec, sizes)
    else { return nil }
    cells = context.kernels.recurrentCells
    (self.sizes, self.scales) = (sizes, scales)
    (outputState, cellState) = (spec.outputState, spec.cellState)
    gateColumns = weights.gateColumns
    inputFormat = QuantizedFormat(isSigned: true, zeroPoint: Int32(cell.inputZeroPoint))
    stateFormat = QuantizedFormat(isSigned: true, zeroPoint: Int32(cell.stateZeroPoint))
    // The sums of a block fit in the L2 cache beside the weights.
    blockRows = max(1, min(layout.stepCount, (64 << 10) / (16 * gateColumns)))
    var rows = PatchGeometry(matrixOf: blockRows, depth: sizes.inputs)
    rows.pixelStride = layout.stepDistance * sizes.inputs
    inputRows = rows
    stateRow = PatchGeometry(matrixOf: 1, depth: sizes.outputs)
    (inputGEMM, inputWeights) = Self.pack(
      context, "input gates", weights.filter(sizes.inputs, spec.inputWeights), weights.bias,
      inputRows, inputFormat)
    (stateGEMM, stateWeights) = Self.pack(
      context, "state gates", weights.filter(sizes.outputs, spec.recurrentWeights),
      [Int32](repeating: 0, count: weights.bias.count), stateRow, stateFormat)
  }

  private static func pack(
    _ context: PlanContext, _ purpose: String, _ filter: @autoclosure @escaping () -> [Int8],
    _ bias: [Int32], _ rows: PatchGeometry, _ format: QuantizedFormat
  ) -> (QuantizedGEMM, PackedBlock) {
    let chosen = context.chooseQuantizedGEMM(
      GEMMProblem(
        rows, rows: rows.inputHeight, columns: bias.count, rowBytes: format.rowBytes,
        results: .sums))
    let kernel = chosen.kernel
    let packed = context.packedWeights(
      "\(purpose), \(chosen.choice.name)", byteCount: kernel.packedByteCount(bias.count, rows)
    ) { packed in
      filter().withUnsafeBytes { filter in
        guard let start = filter.baseAddress else { return }
        bias.withUnsafeBufferPointer { bias in
          kernel.pack(
            QuantizedPackingArguments(
              filter: start, filterFormat: QuantizedFormat(isSigned: true, zeroPoint: 0),
              inputFormat: format, bias: bias.baseAddress, requantization: .sums,
              columns: bias.count, patches: rows, packed: packed))
        }
      }
    }
    return (kernel, packed)
  }

  var inputBytes: Int { sizes.inputs }
  var outputBytes: Int { sizes.outputs }

  // MARK: Working memory

  private var sumBytes: Int { 16 * gateColumns }
  private var statesOffset: Int { (blockRows + 1) * sumBytes }
  private var outputOffset: Int { statesOffset + 4 * gateColumns }
  private var kernelOffset: Int { outputOffset + ArenaPlanner.aligned(gateColumns) }
  var scratchByteCount: Int {
    kernelOffset
      + max(inputGEMM.scratchByteCount(inputRows), stateGEMM.scratchByteCount(stateRow))
  }

  private func inputSums(_ step: StepContext) -> UnsafeMutableRawPointer {
    step.scratch + sumBytes
  }

  private func states(_ step: StepContext) -> UnsafeMutablePointer<Int32> {
    (step.scratch + statesOffset).assumingMemoryBound(to: Int32.self)
  }

  // MARK: Steps

  func begin(_ step: StepContext, batch: Int) {
    let (stored, states) = (storedStates(step, batch: batch), states(step))
    for cell in 0..<gateColumns { states[cell] = cell < sizes.cells ? Int32(stored[cell]) : 0 }
    let last = step.input(outputState) + batch * sizes.outputs
    (step.scratch + outputOffset).copyMemory(from: last, byteCount: sizes.outputs)
  }

  func end(_ step: StepContext, batch: Int) {
    let (stored, states) = (storedStates(step, batch: batch), states(step))
    for cell in 0..<sizes.cells { stored[cell] = Int16(truncatingIfNeeded: states[cell]) }
    UnsafeMutableRawPointer(mutating: step.input(outputState) + batch * sizes.outputs)
      .copyMemory(from: step.scratch + outputOffset, byteCount: sizes.outputs)
  }

  /// Returns the states that the node keeps between runs.
  private func storedStates(_ step: StepContext, batch: Int) -> UnsafeMutablePointer<Int16> {
    UnsafeMutableRawPointer(mutating: step.input(cellState)).assumingMemoryBound(to: Int16.self)
      + batch * sizes.cells
  }

  func multiplyInputs(_ step: StepContext, _ first: UnsafeRawPointer, count: Int) {
    multiply(
      step, inputGEMM, inputRows, first, inputFormat, inputWeights, rows: count,
      to: inputSums(step))
  }

  func advance(
    _ step: StepContext, row: Int, batch: Int, to output: UnsafeMutableRawPointer
  ) {
    let last = step.scratch + outputOffset
    multiply(
      step, stateGEMM, stateRow, last, stateFormat, stateWeights, rows: 1, to: step.scratch)
    withUnsafePointer(to: scales) { scales in
      cells.integerLSTM(
        IntegerLSTMArguments(
          scales: scales,
          inputSums: (inputSums(step) + row * sumBytes).assumingMemoryBound(to: Int32.self),
          stateSums: step.scratch.assumingMemoryBound(to: Int32.self), states: states(step),
          output: last.assumingMemoryBound(to: Int8.self), stride: gateColumns))
    }
    output.copyMemory(from: last, byteCount: sizes.outputs)
  }

  private func multiply(
    _ step: StepContext, _ kernel: QuantizedGEMM, _ patches: PatchGeometry,
    _ input: UnsafeRawPointer, _ format: QuantizedFormat, _ packed: PackedBlock, rows: Int,
    to sums: UnsafeMutableRawPointer
  ) {
    kernel.run(
      GEMMBlock(
        patches: patches, input: input, packed: packed.base, output: sums,
        outputStride: 4 * gateColumns, rows: 0..<rows, columns: 0..<4 * gateColumns,
        epilogue: QuantizedEpilogue(
          inputFormat: format, range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0)),
        scratch: step.scratch + kernelOffset))
  }
}

extension LSTMCell8x8x16 {
  /// The scales for the kernel; `nil` for numbers that only the reference loops take.
  fileprivate var kernelScales: IntegerLSTMScales? {
    let factors = gates.map { gate in
      (input: gate?.input.kernelFactor, state: gate?.recurrent.kernelFactor)
    }
    let bytes = -128...127
    guard let forgetInput = factors[1].input, let forgetState = factors[1].state,
      let cellInput = factors[2].input, let cellState = factors[2].state,
      let outputInput = factors[3].input, let outputState = factors[3].state,
      let output = hidden.kernelFactor, (0...4).contains(15 + exponent),
      bytes.contains(inputZeroPoint), bytes.contains(stateZeroPoint)
    else { return nil }
    return IntegerLSTMScales(
      input: (factors[0].input ?? forgetInput, forgetInput, cellInput, outputInput),
      state: (factors[0].state ?? forgetState, forgetState, cellState, outputState),
      hasInputGate: gates[0] != nil, stateIntegerBits: 15 + exponent,
      stateLimit: cellClip > 0 ? Int32(cellClip) : 1 << 15, output: output,
      outputZeroPoint: Int32(truncatingIfNeeded: hiddenZeroPoint))
  }
}

extension FixedPointMultiplier {
  /// The multiplier for kernels; `nil` for negative and very large or small multipliers.
  var kernelFactor: FixedPointFactor? {
    guard fraction >= 0, (-31...31).contains(exponent) else { return nil }
    return FixedPointFactor(fraction: fraction, exponent: Int32(exponent))
  }
}
