import OcellusKernelABI

/// Scales a sum of rounded inputs and weights back, adds the bias and clamps.
package struct HybridStage: OutputStage {
  let inputScale: Float
  let order: HybridOrder
  /// One for the tensor, or one for each channel.
  let weightScales: UnsafeBufferPointer<Float>
  /// Empty, or one for each channel.
  let bias: UnsafeBufferPointer<Float>
  let range: ClosedRange<Float>

  @inline(__always)
  package func output(_ sum: Int32, channel: Int) -> Float {
    let scale = weightScales[weightScales.count == 1 ? 0 : channel]
    let product =
      switch order {
      case .scales: Float(sum) * (scale * inputScale)
      case .sumAndColumn: Float(sum) * scale * inputScale
      }
    return (bias.isEmpty ? product : product + bias[channel]).clamped(to: range)
  }
}
