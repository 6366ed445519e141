import OcellusKernelABI

/// The arithmetic of an operator that multiplies its input by weights, decoded from its node.
///
/// Convolutions and matrix multiplications share this description and one loop nest.
package enum WeightedArithmetic: Sendable {
  /// Floats, clamped.
  case float(ClosedRange<Float>)
  /// Floats that are rounded to `int8`, each item of the batch by its own range, times quantized
  /// weights.
  case hybrid(HybridWeights)
  /// Quantized numbers.
  case quantized(Requantization)
  /// `int8` numbers without scaling, summed in `int32`.
  case plainIntegers

  /// Returns the arithmetic as XNNPACK computes it: integers with its rounding, and so inputs that
  /// become integers; of floats only the limits differ, since the plan chooses their order.
  func delegated(to processor: LiteRTProcessor) -> WeightedArithmetic {
    switch self {
    case .quantized(let requantization):
      return .quantized(requantization.delegated(to: processor))
    case .hybrid(var weights):
      weights.isDelegated = true
      weights.order = .sumAndRowFused
      weights.scalesProducts = false
      return .hybrid(weights)
    case .float(let range): return .float(range.keepingInfinities)
    case .plainIntegers: return self
    }
  }

  /// Returns XNNPACK's arithmetic of rows times a matrix of weights: on Arm, the scales of a row that
  /// is rounded at run time and of a column are multiplied first.
  func ofRows(on processor: LiteRTProcessor?) -> WeightedArithmetic {
    guard processor == .neon, case .hybrid(var weights) = self else { return self }
    weights.order = .scales
    return .hybrid(weights)
  }

  /// Returns the arithmetic with a second clamp of its results; `nil` for integers.
  func clamped(to range: ClosedRange<Float>) -> WeightedArithmetic? {
    switch self {
    case .float(let before): return .float(before.clamped(to: range))
    case .hybrid(var weights):
      weights.range = weights.range.clamped(to: range)
      return .hybrid(weights)
    case .quantized, .plainIntegers: return nil
    }
  }

  /// Whether floats are rounded at run time, each item by its own range.
  var isHybrid: Bool { if case .hybrid = self { true } else { false } }
}

/// The tensors of an operator with weights while it runs.
package struct WeightedOperands {
  package var input: TensorView
  package var weights: TensorView
  package var bias: TensorView?
  package var output: TensorView
  /// The number of items in the batch.
  package var batchCount: Int
  /// The number of inputs in an item.
  package var inputsPerItem: Int
  /// The number of output channels, and of biases and scales.
  package var channelCount: Int
}
