/// The arithmetic of an operator that multiplies its input with weights, decoded from its node:
/// one description for convolutions and matrix products, and one way into their loop nest.
package enum WeightedSum: Sendable {
  /// Floats, clamped.
  case float(ClosedRange<Float>)
  /// Floats that are rounded to `int8` for each item of the batch, times quantized weights.
  case hybrid(HybridWeights)
  /// Quantized numbers.
  case quantized(Requantization)
  /// `int8` numbers as they are, summed up in `int32`.
  case plainIntegers

  /// The same with results clamped once more; `nil` for integers.
  func clamped(to range: ClosedRange<Float>) -> WeightedSum? {
    switch self {
    case .float(let before): return .float(before.clamped(to: range))
    case .hybrid(var weights):
      weights.range = weights.range.clamped(to: range)
      return .hybrid(weights)
    case .quantized, .plainIntegers: return nil
    }
  }

  /// Whether floats are rounded on the way, for each item by its own range.
  var isHybrid: Bool { if case .hybrid = self { true } else { false } }
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
