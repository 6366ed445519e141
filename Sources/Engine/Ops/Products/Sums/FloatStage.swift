/// Adds the bias and clamps.
package struct FloatStage: OutputStage {
  /// Empty, or one for each channel.
  let bias: UnsafeBufferPointer<Float>
  let range: ClosedRange<Float>

  @inline(__always)
  package func output(_ sum: Float, channel: Int) -> Float {
    (bias.isEmpty ? sum : sum + bias[channel]).clamped(to: range)
  }
}
