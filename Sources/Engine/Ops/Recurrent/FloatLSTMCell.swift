import OcellusPlatform

/// An LSTM cell that computes in floats, with float or 8-bit weights.
///
/// Hochreiter and Schmidhuber, Long Short-Term Memory (1997), with the peepholes, projection and
/// coupled gate of Sak et al. (https://arxiv.org/abs/1402.1128) and layer normalization.
struct FloatLSTMCell {
  /// The activation, limits and rounding of the cell, from the node's options.
  struct Options: Sendable {
    var activation: FusedActivation
    /// The limit of the magnitude of cell states; 0 for none.
    var cellClip: Float
    /// The limit of the magnitude of projected outputs; 0 for none.
    var projectionClip: Float
    /// The rounding of inputs for 8-bit weights.
    var rounding: CellVector.Rounding
    /// Whether the bits are those of LiteRT's built-in kernel, instead of the reference kernel's.
    var isBuiltIn = false

    func logistic(
      _ spec: LSTMCellSpec, _ sizes: LSTMSizes, _ layout: SequenceLayout
    ) -> GateLogistic {
      guard isBuiltIn else { return .reference }
      return .builtIn(BuiltInGateMemory(sizes, layout, hasInputGate: spec.hasInputGate))
    }
  }

  private struct Gate {
    let inputWeights: CellWeights
    let auxiliaryWeights: CellWeights?
    let recurrentWeights: CellWeights
    let peephole: CellWeights?
    let normalization: UnsafeMutableBufferPointer<Float>?
    let bias: UnsafeMutableBufferPointer<Float>
  }

  /// Unowned, since the run outlives the cell.
  private unowned(unsafe) let control: RunControl
  private let options: Options
  private let sizes: LSTMSizes
  private let logistic: GateLogistic
  private let gates: [Gate?]
  private let projection: CellWeights?
  private let projectionBias: UnsafeMutableBufferPointer<Float>?

  init(
    _ context: RunContext, _ spec: LSTMCellSpec, _ sizes: LSTMSizes, _ layout: SequenceLayout,
    _ options: Options
  ) {
    control = context.control
    logistic = options.logistic(spec, sizes, layout)
    let order: LaneProduct.Order? =
      options.isBuiltIn && layout.multipliesInLanes ? .crosswise : nil
    func weights(at position: Int?) -> CellWeights? {
      CellWeights(context, at: position, order)
    }
    self.options = options
    self.sizes = sizes
    gates = LSTMCellSpec.Gate.allCases.map { gate in
      guard spec.gates.contains(gate) else { return nil }
      return Gate(
        inputWeights: CellWeights(context, required: spec.inputWeights(gate), order),
        auxiliaryWeights: weights(at: spec.auxiliaryWeights(gate)),
        recurrentWeights: CellWeights(context, required: spec.recurrentWeights(gate), order),
        peephole: weights(at: spec.peephole(gate)),
        normalization: spec.normalization(gate).map { context.input($0).values() },
        bias: context.input(spec.bias(gate)).values())
    }
    projection = weights(at: spec.projectionWeights)
    projectionBias = context.optionalInput(spec.projectionBias)?.values()
  }

  // MARK: Working memory

  /// Returns the number of scratch floats of a step: four gates and the activations of the states.
  static func floatCount(_ sizes: LSTMSizes) -> Int { 5 * sizes.cells }

  /// Returns the number of scratch bytes for quantized inputs: one vector of each kind.
  static func byteCount(_ sizes: LSTMSizes) -> Int {
    sizes.inputs + sizes.auxiliaryInputs + sizes.outputs + sizes.cells
  }

  struct WorkingMemory {
    let floats: UnsafeMutableBufferPointer<Float>
    let bytes: UnsafeMutableBufferPointer<Int8>
  }

  // MARK: A step

  /// Computes one row of outputs, and updates the states in place.
  func step(
    input: UnsafeMutableBufferPointer<Float>, auxiliary: UnsafeMutableBufferPointer<Float>?,
    outputState: UnsafeMutableBufferPointer<Float>, cellState: UnsafeMutableBufferPointer<Float>,
    batch: Int, in memory: WorkingMemory
  ) {
    let input = round(input, in: memory, at: 0)
    let auxiliary = auxiliary.map { round($0, in: memory, at: sizes.inputs) }
    let state = round(outputState, in: memory, at: sizes.inputs + sizes.auxiliaryInputs)
    func compute(_ gate: LSTMCellSpec.Gate) -> UnsafeMutableBufferPointer<Float> {
      let result = memory.floats.row(gate.rawValue, sizes.cells)
      guard let operands = gates[gate.rawValue] else { return result }
      sum(operands, input, auxiliary, state, cellState, into: result)
      if gate == .cell {
        options.activation.apply(to: result, control)
      } else {
        applyLogistic(of: gate, to: result, batch: batch)
      }
      return result
    }
    let (inputGate, forgetGate, cellGate) = (compute(.input), compute(.forget), compute(.cell))
    let isCoupled = gates[LSTMCellSpec.Gate.input.rawValue] == nil
    for chunk in StoppableChunks(of: cellState.count, control) {
      for index in chunk {
        let intake = isCoupled ? 1 - forgetGate[index] : inputGate[index]
        cellState[index] = cellState[index] * forgetGate[index] + cellGate[index] * intake
      }
    }
    clip(cellState, to: options.cellClip)
    let outputGate = compute(.output)
    let activations = memory.floats.row(4, sizes.cells)
    activations.update(from: cellState, control)
    options.activation.apply(to: activations, control)
    for chunk in StoppableChunks(of: activations.count, control) {
      for index in chunk { activations[index] *= outputGate[index] }
    }
    project(activations, to: outputState, in: memory)
  }

  private func round(
    _ numbers: UnsafeMutableBufferPointer<Float>, in memory: WorkingMemory, at offset: Int
  ) -> CellVector {
    CellVector(
      numbers, options.rounding, into: .init(rebasing: memory.bytes[offset...]), control)
  }

  private func sum(
    _ gate: Gate, _ input: CellVector, _ auxiliary: CellVector?, _ state: CellVector,
    _ cellState: UnsafeMutableBufferPointer<Float>, into sums: UnsafeMutableBufferPointer<Float>
  ) {
    if gate.normalization == nil {
      sums.update(from: gate.bias, control)
    } else {
      sums.update(repeating: 0, control)
    }
    gate.inputWeights.multiply(input, addingTo: sums)
    if let auxiliary { gate.auxiliaryWeights?.multiply(auxiliary, addingTo: sums) }
    gate.recurrentWeights.multiply(state, addingTo: sums)
    gate.peephole?.multiply(
      CellVector(cellState, .none, into: .init(start: nil, count: 0), control),
      addingTo: sums)
    if let coefficients = gate.normalization {
      normalize(sums)
      for chunk in StoppableChunks(of: sums.count, control) {
        for index in chunk { sums[index] = sums[index] * coefficients[index] + gate.bias[index] }
      }
    }
  }

  private func applyLogistic(
    of gate: LSTMCellSpec.Gate, to values: UnsafeMutableBufferPointer<Float>, batch: Int
  ) {
    let chunks = StoppableChunks(of: values.count, workOfEach: 4, control)
    switch logistic {
    case .reference:
      for chunk in chunks {
        for index in chunk { values[index] = 1 / (1 + expf(-values[index])) }
      }
    case .builtIn(let memory):
      let vectors = memory.vectors(of: gate, batch: batch)
      for chunk in chunks { BuiltInLogistic.apply(to: values, chunk, vectors: vectors) }
    }
  }

  /// Normalizes values to the mean 0 and the standard deviation 1.
  private func normalize(_ values: UnsafeMutableBufferPointer<Float>) {
    let count = Float(values.count)
    let mean = (values.folded(from: 0, control, +) ?? 0) / count
    let squares = values.folded(from: 0, control) { $0 + ($1 - mean) * ($1 - mean) }
    let variance = (squares ?? 0) / count
    // The added constant prevents a division by zero.
    let factor = 1 / (variance + 1e-8).squareRoot()
    for chunk in StoppableChunks(of: values.count, control) {
      for index in chunk { values[index] = (values[index] - mean) * factor }
    }
  }

  private func clip(_ values: UnsafeMutableBufferPointer<Float>, to limit: Float) {
    guard limit > 0 else { return }
    for chunk in StoppableChunks(of: values.count, control) {
      for index in chunk { values[index] = values[index].clamped(to: -limit...limit) }
    }
  }

  private func project(
    _ activations: UnsafeMutableBufferPointer<Float>,
    to outputs: UnsafeMutableBufferPointer<Float>, in memory: WorkingMemory
  ) {
    guard let projection else {
      outputs.update(from: activations, control)
      return
    }
    let vector = round(
      activations, in: memory, at: sizes.inputs + sizes.auxiliaryInputs + sizes.outputs)
    outputs.update(repeating: 0, control)
    if let projectionBias { outputs.update(from: projectionBias, control) }
    projection.multiply(vector, addingTo: outputs)
    clip(outputs, to: options.projectionClip)
  }
}
