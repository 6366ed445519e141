import OcellusEngine

/// What a quantized tensor's integers stand for: `real = scale * (integer - zeroPoint)`.
public struct QuantizationParameters: Equatable, Hashable {
  /// The difference between the reals of two neighbouring integers.
  public let scale: Float
  /// The integer that stands for 0.
  public let zeroPoint: Int

  package init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// The parameters of a tensor with exactly one scale; the official API shows no others.
  init?(_ quantization: OcellusEngine.Quantization?) {
    guard let quantization, quantization.scales.count == 1, quantization.scale != 0 else {
      return nil
    }
    self.init(scale: quantization.scale, zeroPoint: quantization.zeroPoint)
  }
}
