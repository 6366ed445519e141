import OcellusKernelABI

extension FloatLSTMStep {
  /// Computes the states and outputs of a step with the bits of the loops in `FloatLSTMCell`.
  @inline(__always)
  func computeExactCells(
    _ operands: LSTMOperands, adding sum: (_ ofInputs: Float, _ ofStates: Float) -> Float
  ) {
    let gates = operands.stateSums
    for index in 0..<4 &* gateColumns {
      gates[index] = sum(operands.inputSums[index], gates[index])
    }
    applyFunctions(to: gates, batch: operands.batch)
    updateStates(operands)
    updateOutputs(operands)
  }

  /// Applies the functions of the gates to their sums.
  private func applyFunctions(to gates: UnsafeMutablePointer<Float>, batch: Int) {
    let candidates = gates + LSTMCellSpec.Gate.cell.rawValue &* gateColumns
    activation.apply(to: .init(start: candidates, count: sizes.cells))
    for gate in LSTMCellSpec.Gate.allCases where gate != .cell {
      if gate == .input, !hasInputGate { continue }
      let values = gates + gate.rawValue &* gateColumns
      switch logistic {
      case .reference: applyReferenceLogistic(to: values)
      case .builtIn(let memory):
        BuiltInLogistic.apply(
          to: .init(start: values, count: sizes.cells), 0..<sizes.cells,
          vectors: memory.vectors(of: gate, batch: batch))
      }
    }
  }

  private func applyReferenceLogistic(to values: UnsafeMutablePointer<Float>) {
    for index in 0..<sizes.cells { values[index] = -values[index] }
    mapFloats(
      .exponential(.exact),
      ElementRow(
        input: UnsafeRawPointer(values), output: UnsafeMutableRawPointer(values),
        count: sizes.cells))
    for index in 0..<sizes.cells { values[index] = 1 / (1 + values[index]) }
  }

  private func updateStates(_ operands: LSTMOperands) {
    let (states, intake) = (operands.states, operands.stateSums)
    let (forget, cell) = (intake + gateColumns, intake + 2 &* gateColumns)
    for index in 0..<sizes.cells {
      let intake = hasInputGate ? intake[index] : 1 - forget[index]
      let state = states[index] * forget[index] + cell[index] * intake
      states[index] = state.clamped(to: -cellLimit...cellLimit)
    }
  }

  private func updateOutputs(_ operands: LSTMOperands) {
    let (outputs, gate) = (operands.outputs, operands.stateSums + 3 &* gateColumns)
    outputs.update(from: operands.states, count: sizes.cells)
    activation.apply(to: .init(start: outputs, count: sizes.cells))
    for index in 0..<sizes.cells { outputs[index] *= gate[index] }
  }
}
