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
      context, spec, options, sizes, layout, (weights.gateColumns, blockRows),
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
}

extension RecurrentHybridGEMM: LSTMGateGEMM {
  static func computeCells(of step: FloatLSTMStep<Self>, _ operands: LSTMOperands) {
    step.computeExactCells(operands, adding: +)
  }
}
