import OcellusKernelABI

/// The LSTM of floats with weights of bytes on the tuned kernels: the products with many rows of inputs at
/// once, those with the last outputs step by step.
///
/// With the bits of the plain loops: of outputs that differ in the last one, some are rounded to another byte.
struct HybridLSTMStep: TunedCell {
  private let mapFloats: @Sendable (UnaryFloatFunction, ElementRow) -> Void
  private let sizes: LSTMSizes
  private let outputState: Int
  private let cellState: Int
  private let hasInputGate: Bool
  private let activation: FusedActivation
  private let cellLimit: Float
  private let inputGates: RoundedProduct
  private let stateGates: RoundedProduct
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
    guard spec.arithmetic == .hybrid, !spec.hasPeepholes, !spec.isNormalized,
      !spec.hasProjection, !spec.hasAuxiliaryWeights,
      let weights = GateWeights<Int8, Float>(context, spec, sizes)
    else { return nil }
    mapFloats = context.kernels.elementwise.mappedFloats
    self.sizes = sizes
    (outputState, cellState) = (spec.outputState, spec.cellState)
    hasInputGate = spec.hasInputGate
    activation = options.activation
    cellLimit = options.cellClip > 0 ? options.cellClip : .infinity
    gateColumns = weights.gateColumns
    // As many sums as the second-level cache has room for beside the weights; rows that lie apart one by one.
    let most = layout.stepDistance == 1 ? (64 << 10) / (16 * gateColumns) : 1
    blockRows = max(1, min(layout.stepCount, most))
    func hybrid(_ position: (LSTMCellSpec.Gate) -> Int) -> HybridWeights {
      HybridWeights(
        scales: LSTMCellSpec.Gate.allCases.flatMap { gate in
          let scale = context.node.optionalInput(position(gate))?.uniformScale ?? 0
          return [Float](repeating: scale, count: weights.gateColumns)
        }, roundsAsymmetrically: options.rounding == .asymmetric,
        range: -Float.infinity...Float.infinity)
    }
    inputGates = RoundedProduct(
      context, "input gates \(name)", rowCount: blockRows, depth: sizes.inputs,
      hybrid(spec.inputWeights), bias: weights.bias,
      filter: weights.filter(sizes.inputs, spec.inputWeights))
    stateGates = RoundedProduct(
      context, "state gates \(name)", rowCount: 1, depth: sizes.outputs,
      hybrid(spec.recurrentWeights), bias: [],
      filter: weights.filter(sizes.outputs, spec.recurrentWeights))
  }

  var inputBytes: Int { sizes.inputs * 4 }
  var outputBytes: Int { sizes.outputs * 4 }

  // Working memory: the sums of one state and of a block of inputs, states, outputs, the products'.

  private var sumBytes: Int { 16 * gateColumns }
  private var statesOffset: Int { (blockRows + 1) * sumBytes }
  private var outputOffset: Int { statesOffset + 4 * gateColumns }
  private var productOffset: Int { ArenaPlanner.aligned(outputOffset + 4 * gateColumns) }
  var scratchByteCount: Int {
    productOffset + max(inputGates.scratchByteCount, stateGates.scratchByteCount)
  }

  private func floats(_ step: StepContext, _ offset: Int) -> UnsafeMutablePointer<Float> {
    (step.scratch + offset).assumingMemoryBound(to: Float.self)
  }

  // MARK: Steps

  func begin(_ step: StepContext, batch: Int) {
    (step.scratch + statesOffset).copyMemory(
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
      first, rows: count, to: step.scratch + sumBytes, scratch: step.scratch + productOffset,
      workers: step.workers)
  }

  func advance(_ step: StepContext, row: Int, to output: UnsafeMutableRawPointer) {
    let last = step.scratch + outputOffset
    stateGates.multiply(
      last, rows: 1, to: step.scratch, scratch: step.scratch + productOffset,
      workers: step.workers)
    let gates = floats(step, 0)
    addInputs(floats(step, (row + 1) * sumBytes), to: gates)
    updateStates(floats(step, statesOffset), gates)
    updateOutputs(floats(step, outputOffset), floats(step, statesOffset), gates)
    output.copyMemory(from: last, byteCount: outputBytes)
  }

  /// Adds sums, and applies the gates' functions to all of them.
  private func addInputs(
    _ sums: UnsafeMutablePointer<Float>, to gates: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<4 &* gateColumns { gates[index] = sums[index] + gates[index] }
    squash(gates, count: 2 &* gateColumns)
    activation.apply(to: .init(start: gates + 2 &* gateColumns, count: gateColumns))
    squash(gates + 3 &* gateColumns, count: gateColumns)
  }

  private func updateStates(
    _ states: UnsafeMutablePointer<Float>, _ gates: UnsafeMutablePointer<Float>
  ) {
    let (forget, cell) = (gates + gateColumns, gates + 2 &* gateColumns)
    for index in 0..<sizes.cells {
      let intake = hasInputGate ? gates[index] : 1 - forget[index]
      let state = states[index] * forget[index] + cell[index] * intake
      states[index] = state.clamped(to: -cellLimit...cellLimit)
    }
  }

  private func updateOutputs(
    _ outputs: UnsafeMutablePointer<Float>, _ states: UnsafeMutablePointer<Float>,
    _ gates: UnsafeMutablePointer<Float>
  ) {
    outputs.update(from: states, count: sizes.cells)
    activation.apply(to: .init(start: outputs, count: sizes.cells))
    let gate = gates + 3 &* gateColumns
    for index in 0..<sizes.cells { outputs[index] *= gate[index] }
  }

  /// The logistic function.
  private func squash(_ values: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { values[index] = -values[index] }
    mapFloats(
      .exponential(.exact),
      ElementRow(
        input: UnsafeRawPointer(values), output: UnsafeMutableRawPointer(values), count: count))
    for index in 0..<count { values[index] = 1 / (1 + values[index]) }
  }
}
