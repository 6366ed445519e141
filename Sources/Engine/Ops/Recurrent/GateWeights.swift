import OcellusKernelABI

/// The constant weights of an LSTM's gates, side by side for packing.
///
/// The columns of each gate are padded to whole vectors of cells.
struct GateWeights<Weight: BitwiseCopyable & Numeric, Bias: BitwiseCopyable & Numeric> {
  /// The number of columns of a gate.
  let gateColumns: Int
  /// The biases of all columns.
  let bias: [Bias]
  private let constants: [TensorView?]
  private let gates: [LSTMCellSpec.Gate]

  /// - Returns: `nil` unless all weights are constant and the recurrent weights are matrices.
  init?(_ context: PlanContext, _ spec: LSTMCellSpec, _ sizes: LSTMSizes) {
    let laneCount = context.kernels.recurrentCells.laneCount
    gateColumns = (sizes.cells + laneCount - 1) / laneCount * laneCount
    (constants, gates) = (context.constants, spec.gates)
    var bias = [Bias](repeating: 0, count: 4 * gateColumns)
    for gate in spec.gates {
      guard constants[spec.inputWeights(gate)] != nil,
        constants[spec.recurrentWeights(gate)]?.shape.rank == 2,
        let values = constants[spec.bias(gate)]
      else { return nil }
      for (cell, value) in values.values(Bias.self).enumerated() {
        bias[gate.rawValue * gateColumns + cell] = value
      }
    }
    self.bias = bias
  }

  /// Returns the weights in one operand per gate, with one row of `depth` elements for each column.
  func filter(_ depth: Int, _ position: (LSTMCellSpec.Gate) -> Int) -> [Weight] {
    var filter = [Weight](repeating: 0, count: 4 * gateColumns * depth)
    for gate in gates {
      guard let values = constants[position(gate)]?.values(Weight.self) else { continue }
      let first = gate.rawValue * gateColumns * depth
      filter.replaceSubrange(first..<first + values.count, with: values)
    }
    return filter
  }
}
