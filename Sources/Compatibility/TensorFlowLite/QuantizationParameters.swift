import OcellusEngine

/// The parameters of a quantized tensor: `real = scale * (integer - zeroPoint)`.
public struct QuantizationParameters: Equatable, Hashable {
  /// The real difference between neighbouring integers.
  public let scale: Float
  /// The integer that represents 0.
  public let zeroPoint: Int

  package init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// Converts per-tensor parameters; `nil` for others, which the official API does not provide.
  init?(_ quantization: OcellusEngine.Quantization?) {
    guard let quantization, quantization.scales.count == 1, quantization.scale != 0 else {
      return nil
    }
    self.init(scale: quantization.scale, zeroPoint: quantization.zeroPoint)
  }
}
