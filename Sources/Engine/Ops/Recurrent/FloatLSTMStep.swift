import OcellusKernelABI

/// A GEMM that makes the sums of an LSTM's gates, with the matching computation of cells.
protocol LSTMGateGEMM: RecurrentGEMM {
  /// Computes the states and outputs of a step.
  static func computeCells(of step: FloatLSTMStep<Self>, _ operands: LSTMOperands)
}

/// The operands and results of the cells of a step; sums are those of all gates.
struct LSTMOperands {
  var inputSums: UnsafeMutablePointer<Float>
  var stateSums: UnsafeMutablePointer<Float>
  var states: UnsafeMutablePointer<Float>
  var outputs: UnsafeMutablePointer<Float>
  var batch: Int
}

/// The float LSTM on the tuned kernels, with float or 8-bit weights.
///
/// Inputs are multiplied many rows at a time, the last outputs step by step.
struct FloatLSTMStep<Product: LSTMGateGEMM>: TunedCell {
  let sizes: LSTMSizes
  let hasInputGate: Bool
  let activation: FusedActivation
  let cellLimit: Float
  /// Whether the cells have the bits of the plain loops, instead of approximations.
  let isExact: Bool
  let logistic: GateLogistic
  /// The number of columns of each gate: the cells, padded to whole vectors.
  let gateColumns: Int
  let functions: RecurrentCells
  let mapFloats: @Sendable (UnaryFloatFunction, ElementRow) -> Void
  let blockRows: Int
  private let outputState: Int
  private let cellState: Int
  private let inputGates: Product
  private let stateGates: Product

  /// The columns of each gate, and the number of input rows in one GEMM.
  typealias Extent = (gateColumns: Int, blockRows: Int)

  init(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options,
    _ sizes: LSTMSizes, _ layout: SequenceLayout, _ extent: Extent, inputGates: Product,
    stateGates: Product
  ) {
    self.sizes = sizes
    hasInputGate = spec.hasInputGate
    activation = options.activation
    cellLimit = options.cellClip > 0 ? options.cellClip : .infinity
    isExact = context.numerics != .fast
    logistic = options.logistic(spec, sizes, layout)
    (functions, mapFloats) = (
      context.kernels.recurrentCells, context.kernels.elementwise.mappedFloats
    )
    (outputState, cellState) = (spec.outputState, spec.cellState)
    (gateColumns, blockRows) = extent
    (self.inputGates, self.stateGates) = (inputGates, stateGates)
  }

  var inputBytes: Int { sizes.inputs * 4 }
  var outputBytes: Int { sizes.outputs * 4 }

  // Scratch memory: the sums of one state and of a block of inputs, states, outputs, GEMM scratch.

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
      first, rows: count, to: floats(step, sumBytes), scratch: step.scratch + productOffset,
      workers: step.workers)
  }

  func advance(
    _ step: StepContext, row: Int, batch: Int, to output: UnsafeMutableRawPointer
  ) {
    let last = step.scratch + outputOffset
    stateGates.multiply(
      last, rows: 1, to: floats(step, 0), scratch: step.scratch + productOffset,
      workers: step.workers)
    Product.computeCells(
      of: self,
      LSTMOperands(
        inputSums: floats(step, (row + 1) * sumBytes), stateSums: floats(step, 0),
        states: floats(step, statesOffset), outputs: floats(step, outputOffset), batch: batch))
    output.copyMemory(from: last, byteCount: outputBytes)
  }
}

extension GateWeights {
  /// Returns the number of input rows in one GEMM, whose sums fit in the L2 cache beside the
  /// weights.
  func blockRows(_ stepCount: Int) -> Int {
    max(1, min(stepCount, (64 << 10) / (16 * gateColumns)))
  }
}

/// The constant weights by which the gates of an LSTM multiply inputs, or the last outputs.
struct GateMatrix {
  /// The name of the packed weights.
  var purpose: String
  /// The rows that are multiplied.
  var rows: PatchGeometry
  /// The number of columns of all gates.
  var columns: Int
  /// Empty, or one for each column.
  var bias: [Float]
  var filter: () -> [Float]
}

extension FloatLSTMStep {
  /// Makes a cell with float weights, by which `multiplication` plans to multiply.
  ///
  /// `name` distinguishes the directions of a node.
  init?(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options,
    _ sizes: LSTMSizes, _ layout: SequenceLayout, name: String,
    multiplication: (GateMatrix) -> Product
  ) {
    guard spec.arithmetic == .float, spec.isPlain,
      let weights = GateWeights<Float, Float>(context, spec, sizes)
    else { return nil }
    let blockRows = weights.blockRows(layout.stepCount)
    let columns = 4 * weights.gateColumns
    self.init(
      context, spec, options, sizes, layout, (weights.gateColumns, blockRows),
      inputGates: multiplication(
        GateMatrix(
          purpose: "input gates \(name)",
          rows: PatchGeometry(blockOf: blockRows, depth: sizes.inputs, layout), columns: columns,
          bias: weights.bias, filter: { weights.filter(sizes.inputs, spec.inputWeights) })),
      stateGates: multiplication(
        GateMatrix(
          purpose: "state gates \(name)", rows: PatchGeometry(matrixOf: 1, depth: sizes.outputs),
          columns: columns, bias: [],
          filter: { weights.filter(sizes.outputs, spec.recurrentWeights) })))
  }
}

extension FloatLSTMStep<RecurrentFloatGEMM> {
  /// Makes a cell with float weights on the tuned kernels.
  init?(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options,
    _ sizes: LSTMSizes, _ layout: SequenceLayout, name: String
  ) {
    // The kernel that approximates the functions of cells knows one activation.
    guard context.numerics != .fast || options.activation == .tanh else { return nil }
    self.init(context, spec, options, sizes, layout, name: name) { gates in
      RecurrentFloatGEMM(
        context, gates.purpose, gates.rows, columns: gates.columns, bias: gates.bias,
        filter: gates.filter())
    }
  }
}

extension RecurrentFloatGEMM: LSTMGateGEMM {
  static func computeCells(of step: FloatLSTMStep<Self>, _ operands: LSTMOperands) {
    if step.isExact { return step.computeExactCells(operands, adding: +) }
    step.functions.floatLSTM(
      FloatLSTMArguments(
        inputSums: operands.inputSums, stateSums: operands.stateSums,
        hasInputGate: step.hasInputGate, stateLimit: step.cellLimit, states: operands.states,
        output: operands.outputs, stride: step.gateColumns))
  }
}
