import OcellusKernelABI

// Outputs that differ in the last bit may be rounded to different bytes in the next step, so cells
// with 8-bit weights are bit-exact with the reference loops.

extension FloatLSTMStep<RecurrentHybridGEMM> {
  /// Makes a cell with 8-bit weights.
  ///
  /// `name` distinguishes the directions of a node.
  init?(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options,
    _ sizes: LSTMSizes, _ layout: SequenceLayout, name: String
  ) {
    guard spec.arithmetic == .hybrid, spec.isPlain,
      let weights = GateWeights<Int8, Float>(context, spec, sizes)
    else { return nil }
    // Rows that are not adjacent are rounded one by one.
    let blockRows = layout.stepDistance == 1 ? weights.blockRows(layout.stepCount) : 1
    func hybrid(_ position: (LSTMCellSpec.Gate) -> Int) -> HybridWeights {
      let scales = LSTMCellSpec.Gate.allCases.flatMap { gate in
        let scale = context.node.optionalInput(position(gate))?.uniformScale ?? 0
        return [Float](repeating: scale, count: weights.gateColumns)
      }
      return HybridWeights(
        scales: scales, roundsAsymmetrically: options.rounding == .asymmetric,
        range: -.infinity ... .infinity)
    }
    self.init(
      context, spec, options, sizes, (weights.gateColumns, blockRows),
      inputGates: RecurrentHybridGEMM(
        context, "input gates \(name)", rowCount: blockRows, depth: sizes.inputs,
        hybrid(spec.inputWeights), bias: weights.bias,
        filter: weights.filter(sizes.inputs, spec.inputWeights)),
      stateGates: RecurrentHybridGEMM(
        context, "state gates \(name)", rowCount: 1, depth: sizes.outputs,
        hybrid(spec.recurrentWeights), bias: [],
        filter: weights.filter(sizes.outputs, spec.recurrentWeights))
    )
  }

  /// Adds the sums of inputs and states, and applies the functions of the gates.
  fileprivate func addInputs(_ operands: LSTMOperands) {
    let gates = operands.stateSums
    for index in 0..<4 &* gateColumns { gates[index] = operands.inputSums[index] + gates[index] }
    applyLogistic(gates, count: 2 &* gateColumns)
    activation.apply(to: .init(start: gates + 2 &* gateColumns, count: gateColumns))
    applyLogistic(gates + 3 &* gateColumns, count: gateColumns)
  }

  fileprivate func updateStates(_ operands: LSTMOperands) {
    let (states, intake) = (operands.states, operands.stateSums)
    let (forget, cell) = (intake + gateColumns, intake + 2 &* gateColumns)
    for index in 0..<sizes.cells {
      let intake = hasInputGate ? intake[index] : 1 - forget[index]
      let state = states[index] * forget[index] + cell[index] * intake
      states[index] = state.clamped(to: -cellLimit...cellLimit)
    }
  }

  fileprivate func updateOutputs(_ operands: LSTMOperands) {
    let (outputs, gate) = (operands.outputs, operands.stateSums + 3 &* gateColumns)
    outputs.update(from: operands.states, count: sizes.cells)
    activation.apply(to: .init(start: outputs, count: sizes.cells))
    for index in 0..<sizes.cells { outputs[index] *= gate[index] }
  }

  /// Applies the logistic function.
  private func applyLogistic(_ values: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { values[index] = -values[index] }
    mapFloats(
      .exponential(.exact),
      ElementRow(
        input: UnsafeRawPointer(values), output: UnsafeMutableRawPointer(values), count: count))
    for index in 0..<count { values[index] = 1 / (1 + values[index]) }
  }
}

extension RecurrentHybridGEMM: LSTMGateGEMM {
  static func computeCells(of step: FloatLSTMStep<Self>, _ operands: LSTMOperands) {
    step.addInputs(operands)
    step.updateStates(operands)
    step.updateOutputs(operands)
  }
}
