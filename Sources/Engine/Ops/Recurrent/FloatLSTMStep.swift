import OcellusKernelABI

/// The float LSTM on the tuned kernels: the products with many rows of inputs at once, those with
/// the last outputs step by step.
struct FloatLSTMStep: TunedCell {
  private let cells: RecurrentCells
  private let sizes: LSTMSizes
  private let outputState: Int
  private let cellState: Int
  private let hasInputGate: Bool
  private let cellLimit: Float
  private let inputGates: GateProduct
  private let stateGates: GateProduct
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
    cells = context.kernels.recurrentCells
    self.sizes = sizes
    (outputState, cellState) = (spec.outputState, spec.cellState)
    hasInputGate = spec.hasInputGate
    cellLimit = options.cellClip > 0 ? options.cellClip : .infinity
    gateColumns = weights.gateColumns
    // As many sums as the second-level cache has room for beside the weights.
    blockRows = max(1, min(layout.stepCount, (64 << 10) / (16 * gateColumns)))
    var rows = PatchGeometry(matrixOf: blockRows, depth: sizes.inputs)
    rows.pixelStride = layout.stepDistance * sizes.inputs
    inputGates = GateProduct(
      context, "input gates \(name)", rows,
      weights.filter(sizes.inputs, spec.inputWeights), weights.bias)
    stateGates = GateProduct(
      context, "state gates \(name)", PatchGeometry(matrixOf: 1, depth: sizes.outputs),
      weights.filter(sizes.outputs, spec.recurrentWeights),
      [Float](repeating: 0, count: weights.bias.count))
  }

  var inputBytes: Int { sizes.inputs * 4 }
  var outputBytes: Int { sizes.outputs * 4 }

  // Working memory: the sums of one state and of a block of inputs, states, outputs, the kernel's.

  private var sumBytes: Int { 16 * gateColumns }
  private var statesOffset: Int { (blockRows + 1) * sumBytes }
  private var outputOffset: Int { statesOffset + 4 * gateColumns }
  private var kernelOffset: Int { ArenaPlanner.aligned(outputOffset + 4 * gateColumns) }
  var scratchByteCount: Int {
    kernelOffset + max(inputGates.scratchByteCount, stateGates.scratchByteCount)
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
    inputGates.multiply(
      first, rows: count, to: floats(step, sumBytes), scratch: step.scratch + kernelOffset)
  }

  func advance(_ step: StepContext, row: Int, to output: UnsafeMutableRawPointer) {
    let last = step.scratch + outputOffset
    stateGates.multiply(
      last, rows: 1, to: floats(step, 0), scratch: step.scratch + kernelOffset)
    cells.floatLSTM(
      FloatLSTMArguments(
        inputSums: floats(step, (row + 1) * sumBytes), stateSums: floats(step, 0),
        hasInputGate: hasInputGate, stateLimit: cellLimit, states: floats(step, statesOffset),
        output: floats(step, outputOffset), stride: gateColumns))
    output.copyMemory(from: last, byteCount: outputBytes)
  }
}

/// The products of rows with the weights of all gates.
private struct GateProduct {
  let kernel: FloatGEMM
  let rows: PatchGeometry
  let weights: PackedBlock
  /// The columns of all gates.
  let columns: Int

  init(
    _ context: PlanContext, _ purpose: String, _ rows: PatchGeometry,
    _ filter: @autoclosure @escaping () -> [Float], _ bias: [Float]
  ) {
    let forOneRow = rows.inputHeight == 1 ? context.kernels.floatRow : nil
    let kernel = forOneRow ?? context.kernels.floatGEMM
    self.kernel = kernel
    self.rows = rows
    columns = bias.count
    weights = context.packedWeights(
      purpose, layout: [forOneRow == nil ? 0 : 1],
      byteCount: kernel.packedByteCount(bias.count, rows.depth)
    ) { packed in
      filter().withUnsafeBufferPointer { filter in
        guard let start = filter.baseAddress else { return }
        bias.withUnsafeBufferPointer { bias in
          kernel.pack(
            FloatPackingArguments(
              filter: start, bias: bias.baseAddress, columns: bias.count, depth: rows.depth,
              packed: packed))
        }
      }
    }
  }

  var scratchByteCount: Int { kernel.scratchByteCount(rows) }

  func multiply(
    _ input: UnsafeRawPointer, rows count: Int, to sums: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer
  ) {
    kernel.run(
      ProductBlock(
        patches: rows, input: input, packed: weights.base, output: sums, outputStride: columns,
        rows: 0..<count, columns: 0..<columns,
        finish: FloatFinish(minimum: -.infinity, maximum: .infinity), scratch: scratch))
  }
}
