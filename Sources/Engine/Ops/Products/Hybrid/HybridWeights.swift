package import OcellusKernelABI

/// What is known of quantized weights that meet float inputs.
package struct HybridWeights: Sendable {
  /// One for the tensor, or one for each output channel.
  package var scales: [Float]
  /// Whether inputs are rounded with a zero point.
  package var roundsAsymmetrically: Bool
  /// What is multiplied first when sums become floats.
  package var order = HybridOrder.scales
  /// Whether every product is scaled before it is added, as in the official transposed convolution,
  /// so that its sums are those of floats.
  package var scalesProducts = false
  /// What results are clamped to.
  package var range: ClosedRange<Float>

  /// The scale of an output channel's weights.
  func scale(of channel: Int) -> Float { scales[scales.count == 1 ? 0 : channel] }

  /// Rounds an item to integers.
  func round(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>,
    _ control: RunControl
  ) -> HybridQuantization {
    roundsAsymmetrically
      ? .asymmetric(values, to: integers, control) : .symmetric(values, to: integers, control)
  }
}
