package import OcellusKernelABI

/// The parameters of quantized weights that are multiplied by float inputs.
package struct HybridWeights: Sendable {
  /// One scale for the tensor, or one for each output channel.
  package var scales: [Float]
  /// Whether inputs are rounded with a zero point.
  package var roundsAsymmetrically: Bool
  /// The order of multiplications that scale a sum to a float.
  package var order = HybridOrder.scales
  /// The number of last channels whose sums are scaled to the inputs first.
  var lastChannelCount = 0
  /// Whether every product is scaled to a float before it is added, as in the official transposed
  /// convolution.
  package var scalesProducts = false
  /// Whether inputs are rounded and sums are scaled as in XNNPACK.
  package var isDelegated = false
  /// The range that results are clamped to.
  package var range: ClosedRange<Float>

  /// How inputs are rounded.
  var rounding: HybridRounding {
    isDelegated ? .delegated : roundsAsymmetrically ? .asymmetric : .symmetric
  }

  /// Returns whether sums of an output channel are scaled to the inputs first.
  func scalesInputsFirst(in channel: Int) -> Bool { channel >= scales.count - lastChannelCount }

  /// Returns the scale of an output channel's weights.
  func scale(of channel: Int) -> Float { scales[scales.count == 1 ? 0 : channel] }

  /// Rounds an item of the batch to integers.
  func round(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>,
    _ control: RunControl
  ) -> HybridQuantization {
    switch rounding {
    case .symmetric: .symmetric(values, to: integers, control)
    case .asymmetric: .asymmetric(values, to: integers, control)
    case .delegated: .delegated(values, to: integers, control)
    }
  }
}

/// The ways to round floats to `int8` at run time.
enum HybridRounding: Sendable {
  /// To integers from -127 to 127.
  case symmetric
  /// To the whole range, with a zero point.
  case asymmetric
  /// To the whole range, with a zero point and ties to even, as XNNPACK does.
  case delegated

  /// Returns the rule for floats between two extremes.
  func rule(_ lowest: Float, _ highest: Float) -> HybridQuantizationRule {
    switch self {
    case .symmetric: .symmetric(lowest, highest)
    case .asymmetric: .asymmetric(lowest, highest)
    case .delegated: .delegated(lowest, highest)
    }
  }
}
