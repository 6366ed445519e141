import OcellusKernelABI

/// The float LSTM on the tuned kernels: the products with many rows of inputs at once, those with
/// the last outputs step by step.
struct FloatLSTMStep: TunedCell {
  private let gemm: FloatGEMM
  private let cells: RecurrentCells
  private let sizes: LSTMSizes
  private let outputState: Int
  private let cellState: Int
  private let hasInputGate: Bool
  private let cellLimit: Float
  private let inputWeights: PackedBlock
  private let stateWeights: PackedBlock
  private let inputRows: PatchGeometry
  private let stateRow: PatchGeometry
  /// The cells, filled up to whole vectors: the columns of each gate.
  private let gateColumns: Int
  let blockRows: Int

  /// Takes cells without peepholes, normalization and projection, which are what converters make.
  ///
  /// `name` tells the directions of a node apart.
  init?(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options,
    _ sizes: LSTMSizes, _ layout: SequenceLayout, name: String
  ) {
    guard spec.arithmetic == .float, options.activation == .tanh, !spec.hasPeepholes,
      !spec.isNormalized, !spec.hasProjection, !spec.hasAuxiliaryWeights,
      let weights = GateWeights<Float, Float>(context, spec, sizes)
    else { return nil }
    (gemm, cells) = (context.kernels.floatGEMM, context.kernels.recurrentCells)
    self.sizes = sizes
    (outputState, cellState) = (spec.outputState, spec.cellState)
    hasInputGate = spec.hasInputGate
    cellLimit = options.cellClip > 0 ? options.cellClip : .infinity
    gateColumns = weights.gateColumns
    inputWeights = Self.pack(
      context, "input gates \(name)", weights.filter(sizes.inputs, spec.inputWeights),
      weights.bias, depth: sizes.inputs)
    stateWeights = Self.pack(
      context, "state gates \(name)", weights.filter(sizes.outputs, spec.recurrentWeights),
      [Float](repeating: 0, count: weights.bias.count), depth: sizes.outputs)
    // As many sums as the second-level cache has room for beside the weights.
    blockRows = max(1, min(layout.stepCount, (64 << 10) / (16 * gateColumns)))
    var rows = PatchGeometry(matrixOf: blockRows, depth: sizes.inputs)
    rows.pixelStride = layout.stepDistance * sizes.inputs
    inputRows = rows
    stateRow = PatchGeometry(matrixOf: 1, depth: sizes.outputs)
  }

  private static func pack(
    _ context: PlanContext, _ purpose: String, _ filter: @autoclosure @escaping () -> [Float],
    _ bias: [Float], depth: Int
  ) -> PackedBlock {
    let kernel = context.kernels.floatGEMM
    return context.packedWeights(
      purpose, byteCount: kernel.packedByteCount(bias.count, depth)
    ) { packed in
      filter().withUnsafeBufferPointer { filter in
        guard let start = filter.baseAddress else { return }
        bias.withUnsafeBufferPointer { bias in
          kernel.pack(
            FloatPackingArguments(
              filter: start, bias: bias.baseAddress, columns: bias.count, depth: depth,
              packed: packed))
        }
      }
    }
  }

  var inputBytes: Int { sizes.inputs * 4 }
  var outputBytes: Int { sizes.outputs * 4 }

  // Working memory: the sums of one state and of a block of inputs, states, outputs, the kernel's.

  private var sumBytes: Int { 16 * gateColumns }
  private var statesOffset: Int { (blockRows + 1) * sumBytes }
  private var outputOffset: Int { statesOffset + 4 * gateColumns }
  private var kernelOffset: Int { ArenaPlanner.aligned(outputOffset + 4 * gateColumns) }
  var scratchByteCount: Int {
    kernelOffset + max(gemm.scratchByteCount(inputRows), gemm.scratchByteCount(stateRow))
  }

  private func floats(_ step: StepContext, _ offset: Int) -> UnsafeMutablePointer<Float> {
    (step.scratch + offset).assumingMemoryBound(to: Float.self)
  }

  // MARK: Steps

  func begin(_ step: StepContext, batch: Int) {
    let states = step.scratch + statesOffset
    states.initializeMemory(as: Float.self, repeating: 0, count: gateColumns)
    states.copyMemory(
      from: step.input(cellState) + batch * sizes.cells * 4, byteCount: sizes.cells * 4)
    (step.scratch + outputOffset).copyMemory(
      from: step.input(outputState) + batch * outputBytes, byteCount: outputBytes)
  }

  func end(_ step: StepContext, batch: Int) {
    let states = UnsafeMutableRawPointer(mutating: step.input(cellState))
    (states + batch * sizes.cells * 4).copyMemory(
      from: step.scratch + statesOffset, byteCount: sizes.cells * 4)
    let outputs = UnsafeMutableRawPointer(mutating: step.input(outputState))
    (outputs + batch * outputBytes).copyMemory(
      from: step.scratch + outputOffset, byteCount: outputBytes)
  }

  func multiplyInputs(_ step: StepContext, _ first: UnsafeRawPointer, count: Int) {
    multiply(step, inputRows, first, inputWeights, rows: count, to: floats(step, sumBytes))
  }

  func advance(_ step: StepContext, row: Int, to output: UnsafeMutableRawPointer) {
    let last = step.scratch + outputOffset
    multiply(step, stateRow, last, stateWeights, rows: 1, to: floats(step, 0))
    cells.floatLSTM(
      FloatLSTMArguments(
        inputSums: floats(step, (row + 1) * sumBytes), stateSums: floats(step, 0),
        hasInputGate: hasInputGate, stateLimit: cellLimit, states: floats(step, statesOffset),
        output: floats(step, outputOffset), stride: gateColumns))
    output.copyMemory(from: last, byteCount: outputBytes)
  }

  private func multiply(
    _ step: StepContext, _ patches: PatchGeometry, _ input: UnsafeRawPointer,
    _ packed: PackedBlock, rows: Int, to sums: UnsafeMutablePointer<Float>
  ) {
    gemm.run(
      ProductBlock(
        patches: patches, input: input, packed: packed.base, output: sums,
        outputStride: 4 * gateColumns, rows: 0..<rows, columns: 0..<4 * gateColumns,
        finish: FloatFinish(minimum: -.infinity, maximum: .infinity),
        scratch: step.scratch + kernelOffset))
  }
}
