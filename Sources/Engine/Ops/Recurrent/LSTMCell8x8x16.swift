import OcellusPlatform

/// The integer LSTM cell whose gates accumulate in 16 bits, as converters make it (`8x8_16`).
struct LSTMCell8x8x16: IntegerLSTMCell {
  struct Gate: Sendable {
    var input: FixedPointMultiplier
    var recurrent: FixedPointMultiplier
    var peephole: FixedPointMultiplier
    var normalization: FixedPointMultiplier
    /// The replacement for a variance of zero.
    var minimumVariance: Int32
  }

  let gates: [Gate?]
  let inputZeroPoint: Int
  let stateZeroPoint: Int
  let hidden: FixedPointMultiplier
  let hiddenZeroPoint: Int
  private let projection: FixedPointMultiplier
  /// The exponent of the power of two that is the scale of the cell states.
  let exponent: Int
  let cellClip: Int16
  private let projectionClip: Int8

  init(
    _ node: NodeSpec, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options
  ) throws(ModelError) {
    let (input, state) = (
      try node.perTensorQuantization(of: try node.input(0)),
      try node.perTensorQuantization(of: try node.input(spec.outputState))
    )
    let cellState = try node.input(spec.cellState)
    let cellScale = try node.perTensorQuantization(of: cellState).scale
    exponent = Int(cellScale.exponent)
    try node.require(
      cellScale.significand == 1 && (-15 ... -9).contains(exponent),
      "the scale \(cellScale) of \(cellState.label) is no power of two from 2⁻¹⁵ to 2⁻⁹")
    (inputZeroPoint, stateZeroPoint) = (input.zeroPoint, state.zeroPoint)

    var gates: [Gate?] = []
    for gate in LSTMCellSpec.Gate.allCases {
      gates.append(
        try spec.gates.contains(gate)
          ? Self.decode(
            node, spec, gate, inputScale: input.scale, stateScale: state.scale,
            cellScale: cellScale) : nil)
    }
    self.gates = gates

    let hidden = try node.intermediateQuantization(4)
    self.hidden = try node.multiplier(Float(0x1p-15 / Double(hidden.scale) * 0x1p-15))
    hiddenZeroPoint = hidden.zeroPoint
    if let weights = node.optionalInput(spec.projectionWeights) {
      let weightScale = try node.perTensorQuantization(of: weights).scale
      projection = try node.multiplier(weightScale * hidden.scale / state.scale)
    } else {
      projection = FixedPointMultiplier(fraction: 0, exponent: 0)
    }
    cellClip = try node.quantizedClip(options.cellClip, of: cellState)
    projectionClip = try node.quantizedClip(options.projectionClip, of: try node.output(0))
  }

  private static func decode(
    _ node: NodeSpec, _ spec: LSTMCellSpec, _ gate: LSTMCellSpec.Gate, inputScale: Float,
    stateScale: Float, cellScale: Float
  ) throws(ModelError) -> Gate {
    func scale(_ position: Int?) throws(ModelError) -> Float {
      guard let position else { return 1 }
      return try node.perTensorQuantization(of: try node.input(position)).scale
    }
    // Without normalization, sums have three integer bits, as the activation functions expect.
    let sumScale =
      spec.isNormalized ? try node.intermediateQuantization(gate.rawValue).scale : 0x1p-12
    let peephole = Double(cellScale) * Double(try scale(spec.peephole(gate))) / Double(sumScale)
    let normalization = try scale(spec.normalization(gate))
    return Gate(
      input: try node.multiplier(try scale(spec.inputWeights(gate)) * inputScale / sumScale),
      recurrent: try node.multiplier(
        try scale(spec.recurrentWeights(gate)) * stateScale / sumScale),
      peephole: try node.multiplier(Float(peephole)),
      normalization: try node.multiplier(normalization),
      minimumVariance: max(1, Int32(saturating: 10000 * normalization)))
  }

  // MARK: A step

  func step(
    _ operands: IntegerLSTMOperands, input: UnsafeMutableBufferPointer<Int8>,
    outputState: UnsafeMutableBufferPointer<Int8>, cellState: UnsafeMutableBufferPointer<Int16>
  ) {
    func compute(_ gate: LSTMCellSpec.Gate) {
      guard let weights = operands.gate(gate), let scales = gates[gate.rawValue] else { return }
      let results = operands.results(gate)
      sum(weights, scales, input, outputState, cellState, into: results, operands)
      if let coefficients = weights.normalization {
        Self.normalize(results, scales, coefficients, weights.bias, operands.control)
      }
      for chunk in operands.chunks(of: results.count, workOfEach: 8) {
        for index in chunk {
          let number = FixedPoint(raw: results[index], integerBits: 3)
          results[index] = (gate == .cell ? number.tanh : number.logistic).raw
        }
      }
    }
    compute(.input)
    compute(.forget)
    compute(.cell)
    update(
      cellState, operands, inputGate: operands.gate(.input).map { _ in operands.results(.input) },
      exponent: exponent, clip: cellClip)
    compute(.output)
    output(operands, cellState, to: outputState)
  }

  private func sum(
    _ weights: IntegerLSTMOperands.Gate, _ scales: Gate,
    _ input: UnsafeMutableBufferPointer<Int8>, _ state: UnsafeMutableBufferPointer<Int8>,
    _ cellState: UnsafeMutableBufferPointer<Int16>,
    into results: UnsafeMutableBufferPointer<Int16>, _ operands: IntegerLSTMOperands
  ) {
    var question = StoppableWork(operands.control)
    for row in results.indices {
      if question.isOver(after: input.count &+ state.count &+ 8) { return }
      // Normalized gates add their bias after the normalization.
      let bias = weights.normalization == nil ? weights.bias[row] : 0
      let inputSum = sum(
        input, zeroPoint: inputZeroPoint, weights.inputWeights, row: row, to: bias, operands)
      let stateSum = sum(
        state, zeroPoint: stateZeroPoint, weights.recurrentWeights, row: row, to: Int32(0),
        operands)
      var result = Int16(clamping: scales.input.scale(inputSum))
      result = Int16(clamping: scales.recurrent.scale(stateSum) &+ Int32(result))
      // The official kernel reads the states of only as many cells as there are outputs.
      if let peephole = weights.peephole, row < state.count {
        let product = Int32(peephole[row]) * Int32(cellState[row])
        result = Int16(clamping: scales.peephole.scale(product) &+ Int32(result))
      }
      results[row] = result
    }
  }

  private func output(
    _ operands: IntegerLSTMOperands, _ cellState: UnsafeMutableBufferPointer<Int16>,
    to outputs: UnsafeMutableBufferPointer<Int8>
  ) {
    let gate = operands.results(.output)
    /// Returns the output of a cell before the projection, with the given zero point.
    func hiddenValue(_ index: Int, zeroPoint: Int) -> Int8 {
      let state = FixedPoint(raw: cellState[index], integerBits: 15 + exponent)
      let product = Int32(gate[index]) * Int32(state.tanh.raw)
      return Int8(clamping: hidden.scale(product) &+ Int32(truncatingIfNeeded: zeroPoint))
    }
    guard let weights = operands.projectionWeights else {
      for chunk in operands.chunks(of: outputs.count, workOfEach: 8) {
        for index in chunk { outputs[index] = hiddenValue(index, zeroPoint: hiddenZeroPoint) }
      }
      return
    }
    // The official kernels use the wrong sign of the zero point before a projection.
    let zeroPoint = 0 &- hiddenZeroPoint
    let activations = operands.scratch(0)
    for chunk in operands.chunks(of: activations.count, workOfEach: 8) {
      for index in chunk {
        activations[index] = Int16(hiddenValue(index, zeroPoint: zeroPoint))
      }
    }
    var question = StoppableWork(operands.control)
    for row in outputs.indices {
      if question.isOver(after: activations.count) { return }
      let sum = sum(
        activations, zeroPoint: zeroPoint, weights, row: row,
        to: operands.projectionBias?[row] ?? 0, operands)
      let value = Int8(
        clamping: projection.scale(sum) &+ Int32(truncatingIfNeeded: stateZeroPoint))
      outputs[row] =
        projectionClip > 0 ? value.clamped(to: -projectionClip...projectionClip) : value
    }
  }

  // MARK: Layer normalization

  /// Normalizes in units of 2⁻¹⁰, as `PortableApplyLayerNorm`.
  private static func normalize(
    _ values: UnsafeMutableBufferPointer<Int16>, _ scales: Gate,
    _ coefficients: UnsafeMutableBufferPointer<Int16>, _ bias: UnsafeMutableBufferPointer<Int32>,
    _ control: RunControl
  ) {
    guard !values.isEmpty else { return }
    let count = values.count
    guard let sum = values.folded(from: 0, control, { $0 + Int($1) }),
      let squares = values.folded(from: 0, control, { $0 + Int($1) * Int($1) })
    else { return }
    let mean = Int32(truncatingIfNeeded: sum * 1024 / count)
    let variance = (squares &* ((1 << 20) / count) &- Int(mean) * Int(mean)) / (1 << 20)
    var deviation = Int32(truncatingIfNeeded: variance)
    if deviation < 1 { deviation = scales.minimumVariance }
    let inverse = FixedPointMultiplier(inverseSquareRootOf: deviation)
    var normalization = scales.normalization
    normalization.exponent += 12
    for chunk in StoppableChunks(of: count, control) {
      for index in chunk {
        let rescaled = inverse.scale(1024 &* Int32(values[index]) &- mean)
        let weighted = Int(rescaled &* Int32(coefficients[index]) &+ bias[index])
        let rounded = Int32(
          truncatingIfNeeded: (weighted > 0 ? weighted + 512 : weighted - 512) / 1024)
        values[index] = Int16(clamping: normalization.scale(rounded))
      }
    }
  }
}
