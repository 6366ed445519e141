import OcellusPlatform

/// The integer LSTM cell whose matrix multiplications are rounded to 8 bits (`8x8_8`).
///
/// It is always normalized and projected, and its input and forget gates are always coupled, even
/// if an input gate is given.
struct LSTMCell8x8x8: IntegerLSTMCell {
  private struct Gate: Sendable {
    var input: FixedPointMultiplier
    var inputZeroPoint: Int8
    var recurrent: FixedPointMultiplier
    var recurrentZeroPoint: Int8
    /// Rescales the rounded sums to the scale of their total.
    var inputToSum: FixedPointMultiplier
    var recurrentToSum: FixedPointMultiplier
    var normalizationScale: Float
  }

  private let gates: [Gate?]
  private let inputZeroPoint: Int
  private let stateZeroPoint: Int
  private let projection: FixedPointMultiplier
  private let cellClip: Int16
  private let projectionClip: Int8

  init(
    _ node: NodeSpec, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options
  ) throws(ModelError) {
    try node.require(
      node.optionalInput(spec.projectionBias) != nil,
      "cells with 12 intermediate tensors must be projected, with a bias")
    let (input, state) = (
      try node.perTensorQuantization(of: try node.input(0)),
      try node.perTensorQuantization(of: try node.input(spec.outputState))
    )
    (inputZeroPoint, stateZeroPoint) = (input.zeroPoint, state.zeroPoint)
    let cellState = try node.input(spec.cellState)
    gates = [
      nil, try Self.decode(node, spec, .forget, input.scale, state.scale),
      try Self.decode(node, spec, .cell, input.scale, state.scale),
      try Self.decodeOutput(node, spec, input.scale, state.scale),
    ]
    let weights = try node.input(spec.projectionWeights)
    let weightScale = Double(try node.perTensorQuantization(of: weights).scale)
    projection = try node.multiplier(Float(weightScale * 0x1p-15 / Double(state.scale)))
    // The arithmetic assumes states with the scale 2⁻¹⁵; for other scales in the file, the official
    // kernel ignores the limits. A limit of 1 is none.
    let isClipped = try node.perTensorQuantization(of: cellState).scale == 0x1p-15
    cellClip =
      isClipped && options.cellClip < 1
      ? try node.quantizedClip(options.cellClip, of: cellState) : 0
    projectionClip =
      isClipped ? try node.quantizedClip(options.projectionClip, of: try node.output(0)) : 0
  }

  /// Decodes the scales of a gate.
  ///
  /// Three intermediate tensors belong to a gate: the total, and the sums of inputs and of states.
  private static func decode(
    _ node: NodeSpec, _ spec: LSTMCellSpec, _ gate: LSTMCellSpec.Gate, _ inputScale: Float,
    _ stateScale: Float
  ) throws(ModelError) -> Gate {
    func scale(_ position: Int) throws(ModelError) -> Float {
      try node.perTensorQuantization(of: try node.input(position)).scale
    }
    let sum = try node.intermediateQuantization(3 * gate.rawValue)
    let input = try node.intermediateQuantization(3 * gate.rawValue + 1)
    let recurrent = try node.intermediateQuantization(3 * gate.rawValue + 2)
    guard let coefficients = spec.normalization(gate) else {
      throw node.error("the gates are not normalized")
    }
    let normalization = try node.multiplier(try scale(coefficients))
    return Gate(
      input: try node.multiplier(try scale(spec.inputWeights(gate)) * inputScale / input.scale),
      inputZeroPoint: Int8(truncatingIfNeeded: input.zeroPoint),
      recurrent: try node.multiplier(
        try scale(spec.recurrentWeights(gate)) * stateScale / recurrent.scale),
      recurrentZeroPoint: Int8(truncatingIfNeeded: recurrent.zeroPoint),
      inputToSum: try node.multiplier(input.scale / sum.scale),
      recurrentToSum: try node.multiplier(recurrent.scale / sum.scale),
      normalizationScale: Float(
        Double(normalization.fraction) * pow(2, Double(normalization.exponent - 31))))
  }

  /// Decodes the output gate with two errors of the official kernel.
  ///
  /// It uses the zero point of the cell gate's input sums, and the exponent of the forget gate as a
  /// fraction.
  private static func decodeOutput(
    _ node: NodeSpec, _ spec: LSTMCellSpec, _ inputScale: Float, _ stateScale: Float
  ) throws(ModelError) -> Gate {
    var gate = try decode(node, spec, .output, inputScale, stateScale)
    let forgetGate = try decode(node, spec, .forget, inputScale, stateScale)
    gate.recurrentToSum.fraction = Int32(
      truncatingIfNeeded: forgetGate.recurrentToSum.exponent)
    gate.recurrentZeroPoint = Int8(
      truncatingIfNeeded: try node.intermediateQuantization(7).zeroPoint)
    return gate
  }

  // MARK: A step

  func step(
    _ operands: IntegerLSTMOperands, input: UnsafeMutableBufferPointer<Int8>,
    outputState: UnsafeMutableBufferPointer<Int8>, cellState: UnsafeMutableBufferPointer<Int16>
  ) {
    func compute(_ gate: LSTMCellSpec.Gate) {
      guard let weights = operands.gate(gate), let scales = gates[gate.rawValue] else { return }
      let results = operands.results(gate)
      var question = StoppableWork(operands.control)
      for row in results.indices {
        if question.isOver(after: input.count &+ outputState.count &+ 8) { return }
        results[row] = sum(weights, scales, input, outputState, row: row, operands)
      }
      Self.normalize(results, scales.normalizationScale, weights, operands.control)
      for chunk in operands.chunks(of: results.count, workOfEach: 4) {
        for index in chunk {
          let number = Float(results[index]) * 0x1p-12
          results[index] = Self.quantize(gate == .cell ? tanhf(number) : 1 / (1 + expf(-number)))
        }
      }
    }
    compute(.forget)
    compute(.cell)
    update(cellState, operands, inputGate: nil, exponent: -15, clip: cellClip)
    compute(.output)

    let (gate, activations) = (operands.results(.output), operands.scratch(0))
    for chunk in operands.chunks(of: activations.count, workOfEach: 4) {
      for index in chunk {
        let activation = Self.quantize(tanhf(Float(cellState[index]) * 0x1p-15))
        activations[index] = roundedProduct(gate[index], activation, shift: 15)
      }
    }
    project(activations, operands, to: outputState)
  }

  private func sum(
    _ weights: IntegerLSTMOperands.Gate, _ scales: Gate,
    _ input: UnsafeMutableBufferPointer<Int8>, _ state: UnsafeMutableBufferPointer<Int8>, row: Int,
    _ operands: IntegerLSTMOperands
  ) -> Int16 {
    func product(
      _ vector: UnsafeMutableBufferPointer<Int8>, _ vectorZeroPoint: Int,
      _ weights: UnsafeMutableBufferPointer<Int8>, _ multiplier: FixedPointMultiplier,
      _ zeroPoint: Int8
    ) -> Int32 {
      let sum = sum(
        vector, zeroPoint: vectorZeroPoint, weights, row: row, to: Int32(0), operands)
      let rounded = Int8(clamping: multiplier.scale(sum) &+ Int32(zeroPoint))
      return Int32(rounded) - Int32(zeroPoint)
    }
    let inputGEMM = product(
      input, inputZeroPoint, weights.inputWeights, scales.input, scales.inputZeroPoint)
    let stateGEMM = product(
      state, stateZeroPoint, weights.recurrentWeights, scales.recurrent,
      scales.recurrentZeroPoint)
    return Int16(
      clamping: scales.recurrentToSum.scale(stateGEMM)
        &+ scales.inputToSum.scale(inputGEMM))
  }

  private func project(
    _ activations: UnsafeMutableBufferPointer<Int16>, _ operands: IntegerLSTMOperands,
    to outputs: UnsafeMutableBufferPointer<Int8>
  ) {
    guard let weights = operands.projectionWeights, let bias = operands.projectionBias else {
      return
    }
    var question = StoppableWork(operands.control)
    for row in outputs.indices {
      if question.isOver(after: activations.count) { return }
      let sum = sum(
        activations, zeroPoint: 0, weights, row: row, to: Int64(bias[row]), operands)
      let value = Int8(
        clamping: projection.scale(sum) &+ Int32(truncatingIfNeeded: stateZeroPoint))
      outputs[row] =
        projectionClip > 0 ? value.clamped(to: -projectionClip...projectionClip) : value
    }
  }

  /// Converts a number below 1 to units of 2⁻¹⁵, rounded towards zero.
  private static func quantize(_ number: Float) -> Int16 { Int16(saturating: number * 0x1p15) }

  // MARK: Layer normalization

  /// Normalizes in floats, as `PortableApplyLayerNormFloat`.
  private static func normalize(
    _ values: UnsafeMutableBufferPointer<Int16>, _ scale: Float,
    _ weights: IntegerLSTMOperands.Gate, _ control: RunControl
  ) {
    guard let coefficients = weights.normalization else { return }
    let count = Float(values.count)
    guard let sum = values.folded(from: Float(0), control, { $0 + Float($1) }),
      let squares = values.folded(from: Float(0), control, { $0 + Float($1) * Float($1) })
    else { return }
    let mean = sum / count
    let variance = squares / count - mean * mean
    let factor = 1 / (variance == 0 ? 1e-8 : variance).squareRoot()
    let biasScale = 0x1p-10 * scale
    for chunk in StoppableChunks(of: values.count, control) {
      for index in chunk {
        let normalized = (Float(values[index]) - mean) * factor
        let weighted =
          normalized * Float(coefficients[index]) * scale + Float(weights.bias[index]) * biasScale
        values[index] = Int16(saturating: (weighted * 0x1p12).rounded(.toNearestOrAwayFromZero))
      }
    }
  }
}
