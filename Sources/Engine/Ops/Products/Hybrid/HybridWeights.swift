/// What is known of quantized weights that meet float inputs.
package struct HybridWeights: Sendable {
  /// One for the tensor, or one for each output channel.
  package var scales: [Float]
  /// Whether inputs are rounded with a zero point.
  package var roundsAsymmetrically: Bool
  /// What results are clamped to.
  package var range: ClosedRange<Float>
}
