/// The arithmetic of an operator that multiplies its input with weights, decoded from its node:
/// one description for convolutions and matrix products, and one way into their loop nests.
package enum WeightedSum: Sendable {
  /// Floats, clamped.
  case float(ClosedRange<Float>)
  /// Floats that are rounded to `int8` for each item of the batch, times quantized weights.
  case hybrid(HybridWeights)
  /// Quantized numbers.
  case quantized(Requantization)
  /// `int8` numbers as they are, summed up in `int32`.
  case plainIntegers
}

/// What is known of quantized weights that meet float inputs.
package struct HybridWeights: Sendable {
  /// One for the tensor, or one for each output channel.
  package var scales: [Float]
  /// Whether inputs are rounded with a zero point.
  package var roundsAsymmetrically: Bool
  /// What results are clamped to.
  package var range: ClosedRange<Float>
}

/// The loop nest of an operator with weights, for one item of the batch.
package protocol ProductLoop {
  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum
}

/// The tensors of an operator with weights while it runs.
package struct WeightedOperands {
  package var input: TensorView
  package var weights: TensorView
  package var bias: TensorView?
  package var output: TensorView
  /// How many items the batch has.
  package var batchCount: Int
  /// How many inputs belong to an item.
  package var inputsPerItem: Int
  /// How many output channels there are: as many as biases and scales.
  package var channelCount: Int
}
