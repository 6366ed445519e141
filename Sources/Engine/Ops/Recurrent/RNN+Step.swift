import OcellusKernelABI

extension RNN {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape = context.inputShapes[0], auxiliaryInput == nil else { return nil }
    let layout = SequenceLayout(shape, time)
    guard repetitions(layout) == 1 else { return nil }
    if rounding == .none {
      // The kernels add in sequence; the loops do not take long.
      if isBuiltIn { return nil }
      return step(context, layout, "float32") { RecurrentFloatGEMM(context, $0, layout) }
    }
    return step(context, layout, "float32×int8") { operands in
      RecurrentHybridGEMM(context, operands, layout, isAsymmetric: rounding == .asymmetric)
    }
  }

  /// Returns a step that runs the directions one after the other.
  private func step<Product: RecurrentGEMM>(
    _ context: PlanContext, _ layout: SequenceLayout, _ type: String,
    _ product: (LayerOperands) -> Product?
  ) -> Step? {
    let sequences = directions.compactMap { direction in
      LayerStep(context, direction, activation, layout, product).map { layer in
        TunedSequence(
          cell: layer, pass: direction.pass, layout: layout,
          outputRowBytes: context.outputShapes[direction.pass.output][-1] * 4)
      }
    }
    guard sequences.count == directions.count else { return nil }
    return Step(
      kernelName: "rnn \(type) \(context.kernels.name)",
      scratchByteCount: sequences.map(\.cell.scratchByteCount).max() ?? 0
    ) { step in
      for sequence in sequences { sequence.run(step) }
    }
  }
}

/// The operands of one matrix multiplication of a layer.
private struct LayerOperands {
  /// The position of the weights, and of the biases if there are any.
  var weights: Int
  var bias: Int?
  /// The number of rows in one GEMM.
  var rowCount: Int
}

extension RecurrentFloatGEMM {
  fileprivate init?(_ context: PlanContext, _ operands: LayerOperands, _ layout: SequenceLayout) {
    guard let weights = context.constants[operands.weights],
      let bias = layerBias(context, operands)
    else { return nil }
    let depth = weights.shape[1]
    self.init(
      context, "weights \(operands.weights)",
      operands.bias == nil
        ? PatchGeometry(matrixOf: 1, depth: depth)
        : PatchGeometry(blockOf: operands.rowCount, depth: depth, layout),
      columns: weights.shape[0], bias: bias, filter: Array(weights.values(Float.self)))
  }
}

extension RecurrentHybridGEMM {
  fileprivate init?(
    _ context: PlanContext, _ operands: LayerOperands, _ layout: SequenceLayout, isAsymmetric: Bool
  ) {
    guard let weights = context.constants[operands.weights],
      let bias = layerBias(context, operands)
    else { return nil }
    let scale = context.node.inputs[operands.weights]?.uniformScale ?? 0
    self.init(
      context, "weights \(operands.weights)", rowCount: operands.rowCount,
      depth: weights.shape[1],
      HybridWeights(
        scales: [Float](repeating: scale, count: weights.shape[0]),
        roundsAsymmetrically: isAsymmetric, range: -.infinity ... .infinity),
      bias: bias, filter: Array(weights.values(Int8.self)))
  }
}

/// Returns the biases, empty if there are none; `nil` if they are not constant.
private func layerBias(_ context: PlanContext, _ operands: LayerOperands) -> [Float]? {
  guard let position = operands.bias else { return [] }
  return context.constants[position].map { Array($0.values(Float.self)) }
}

/// A layer of one direction on the tuned kernels.
///
/// Inputs are multiplied many rows at a time, the last outputs step by step.
private struct LayerStep<Product: RecurrentGEMM>: TunedCell {
  private let inputGEMM: Product
  private let stateGEMM: Product
  private let activation: FusedActivation
  private let state: Int
  private let units: Int
  let inputBytes: Int
  let blockRows: Int

  init?(
    _ context: PlanContext, _ direction: RNN.Direction, _ activation: FusedActivation,
    _ layout: SequenceLayout, _ product: (LayerOperands) -> Product?
  ) {
    guard let shape = context.inputShapes[direction.first] else { return nil }
    units = shape[0]
    inputBytes = shape[1] * 4
    // The sums of a block fit in the nearest caches; rows that are not adjacent are taken one by
    // one.
    blockRows = layout.stepDistance == 1 ? max(1, min(layout.stepCount, (16 << 10) / units)) : 1
    self.activation = activation
    state = direction.state
    guard
      let inputs = product(
        LayerOperands(weights: direction.first, bias: direction.bias, rowCount: blockRows)),
      let states = product(LayerOperands(weights: direction.recurrentWeights, rowCount: 1))
    else { return nil }
    (inputGEMM, stateGEMM) = (inputs, states)
  }

  var outputBytes: Int { units * 4 }

  // Scratch memory: the sums of one state and of a block of inputs, then the GEMMs' own.

  private var productOffset: Int { ArenaPlanner.aligned((blockRows + 1) * outputBytes) }
  var scratchByteCount: Int {
    productOffset + max(inputGEMM.scratchByteCount, stateGEMM.scratchByteCount)
  }

  private func sums(_ step: StepContext, row: Int) -> UnsafeMutablePointer<Float> {
    step.scratch.assumingMemoryBound(to: Float.self) + row * units
  }

  func begin(_ step: StepContext, batch: Int) {
    // The first step reads the last outputs from here.
    sums(step, row: 0).update(from: states(step, batch: batch), count: units)
  }

  func end(_ step: StepContext, batch: Int) {
    states(step, batch: batch).update(from: sums(step, row: 0), count: units)
  }

  private func states(_ step: StepContext, batch: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(mutating: step.input(state)).assumingMemoryBound(to: Float.self)
      + batch * units
  }

  func multiplyInputs(_ step: StepContext, _ first: UnsafeRawPointer, count: Int) {
    inputGEMM.multiply(
      first, rows: count, to: sums(step, row: 1), scratch: step.scratch + productOffset,
      workers: step.workers)
  }

  func advance(
    _ step: StepContext, row: Int, batch: Int, to output: UnsafeMutableRawPointer
  ) {
    let (last, inputs) = (sums(step, row: 0), sums(step, row: row + 1))
    let results = output.assumingMemoryBound(to: Float.self)
    stateGEMM.multiply(
      UnsafeRawPointer(last), rows: 1, to: results, scratch: step.scratch + productOffset,
      workers: step.workers)
    for unit in 0..<units { results[unit] = inputs[unit] + results[unit] }
    activation.apply(to: .init(start: results, count: units))
    last.update(from: results, count: units)
  }
}
