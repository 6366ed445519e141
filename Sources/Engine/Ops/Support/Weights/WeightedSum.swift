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

  /// Whether floats are rounded on the way, for each item by its own range.
  var isHybrid: Bool { if case .hybrid = self { true } else { false } }
}
