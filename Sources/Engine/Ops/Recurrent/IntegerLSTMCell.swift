/// An LSTM cell with integer arithmetic only: `int8` inputs and outputs, `int16` states.
protocol IntegerLSTMCell: Sendable {
  /// Computes one row of outputs into `outputState`, and updates the states in place.
  func step(
    _ operands: IntegerLSTMOperands, input: UnsafeMutableBufferPointer<Int8>,
    outputState: UnsafeMutableBufferPointer<Int8>, cellState: UnsafeMutableBufferPointer<Int16>)
}

/// The operands of an integer cell, and its scratch memory.
struct IntegerLSTMOperands {
  struct Gate {
    let inputWeights: UnsafeMutableBufferPointer<Int8>
    let recurrentWeights: UnsafeMutableBufferPointer<Int8>
    let peephole: UnsafeMutableBufferPointer<Int16>?
    let normalization: UnsafeMutableBufferPointer<Int16>?
    let bias: UnsafeMutableBufferPointer<Int32>
  }

  let sizes: LSTMSizes
  /// Unowned, since the run outlives the operands.
  unowned(unsafe) let control: RunControl
  private let gates: [Gate?]
  let projectionWeights: UnsafeMutableBufferPointer<Int8>?
  let projectionBias: UnsafeMutableBufferPointer<Int32>?
  private let memory: UnsafeMutableBufferPointer<Int16>

  /// Returns the number of scratch elements: four gates and two more vectors, with one value per
  /// cell.
  static func scratchCount(_ sizes: LSTMSizes) -> Int { 6 * sizes.cells }

  init(
    _ context: RunContext, _ spec: LSTMCellSpec, _ sizes: LSTMSizes,
    memory: UnsafeMutableBufferPointer<Int16>
  ) {
    self.sizes = sizes
    self.memory = memory
    control = context.control
    gates = LSTMCellSpec.Gate.allCases.map { gate in
      guard spec.gates.contains(gate) else { return nil }
      return Gate(
        inputWeights: context.input(spec.inputWeights(gate)).values(),
        recurrentWeights: context.input(spec.recurrentWeights(gate)).values(),
        peephole: spec.peephole(gate).map { context.input($0).values() },
        normalization: spec.normalization(gate).map { context.input($0).values() },
        bias: context.input(spec.bias(gate)).values())
    }
    projectionWeights = context.optionalInput(spec.projectionWeights)?.values()
    projectionBias = context.optionalInput(spec.projectionBias)?.values()
  }

  /// Returns the indices of a loop that ends early if the run is stopped.
  func chunks(of count: Int, workOfEach work: Int = 1) -> StoppableChunks {
    StoppableChunks(of: count, workOfEach: work, control)
  }

  func gate(_ gate: LSTMCellSpec.Gate) -> Gate? { gates[gate.rawValue] }

  /// Returns the scratch memory for a gate's results.
  func results(_ gate: LSTMCellSpec.Gate) -> UnsafeMutableBufferPointer<Int16> {
    memory.row(gate.rawValue, sizes.cells)
  }

  /// Returns the scratch memory for one of two more vectors.
  func scratch(_ index: Int) -> UnsafeMutableBufferPointer<Int16> {
    memory.row(4 + index, sizes.cells)
  }
}

extension IntegerLSTMCell {
  /// Returns the dot product of a row of weights with a vector less its zero point, added to
  /// `start`.
  @inline(__always)
  func sum<Input: FixedWidthInteger & BitwiseCopyable, Sum: FixedWidthInteger & BitwiseCopyable>(
    _ vector: UnsafeMutableBufferPointer<Input>, zeroPoint: Int,
    _ weights: UnsafeMutableBufferPointer<Int8>, row: Int, to start: Sum,
    _ operands: IntegerLSTMOperands
  ) -> Sum {
    let zeroPoint = Sum(truncatingIfNeeded: zeroPoint)
    var sum = start
    for chunk in operands.chunks(of: vector.count) {
      for index in chunk {
        sum &+=
          (Sum(truncatingIfNeeded: vector[index]) &- zeroPoint)
          &* Sum(truncatingIfNeeded: weights[row * vector.count + index])
      }
    }
    return sum
  }

  /// Updates the states: `cell = cell × forget + intake × candidate`, with optional clipping.
  ///
  /// The scale of the states is 2^`exponent`. Without an input gate, the intake is `1 - forget`.
  func update(
    _ cellState: UnsafeMutableBufferPointer<Int16>, _ operands: IntegerLSTMOperands,
    inputGate: UnsafeMutableBufferPointer<Int16>?, exponent: Int, clip: Int16
  ) {
    let (forgetGate, candidate) = (operands.results(.forget), operands.results(.cell))
    for chunk in operands.chunks(of: cellState.count) {
      for index in chunk {
        let kept = roundedProduct(forgetGate[index], cellState[index], shift: 15)
        let intake = inputGate?[index] ?? .max &- forgetGate[index]
        let added = roundedProduct(intake, candidate[index], shift: 30 + exponent)
        let state = kept.saturatingAdding(added)
        cellState[index] = clip > 0 ? state.clamped(to: -clip...clip) : state
      }
    }
  }

  func roundedProduct(_ a: Int16, _ b: Int16, shift: Int) -> Int16 {
    Int16(truncatingIfNeeded: roundingShiftRight(Int32(a) * Int32(b), by: shift))
  }
}

extension NodeSpec {
  /// Returns the fixed-point multiplier of a ratio of scales.
  func multiplier(_ real: Float) throws(ModelError) -> FixedPointMultiplier {
    guard let multiplier = FixedPointMultiplier(Double(real)) else {
      throw error("scales of its tensors make the multiplier \(real)")
    }
    return multiplier
  }

  /// Returns the scale and zero point of one of the node's intermediate tensors.
  func intermediateQuantization(
    _ position: Int
  ) throws(ModelError) -> (scale: Float, zeroPoint: Int) {
    guard position < intermediates.count, let tensor = intermediates[position] else {
      throw error("intermediate tensor \(position) is missing")
    }
    return try perTensorQuantization(of: tensor)
  }

  /// Returns a limit in quantized steps of a tensor; 0 means none.
  func quantizedClip<Value: FixedWidthInteger>(
    _ clip: Float, of tensor: TensorSpec
  ) throws(ModelError) -> Value {
    clip > 0 ? Value(saturating: clip / (try perTensorQuantization(of: tensor).scale)) : 0
  }
}
