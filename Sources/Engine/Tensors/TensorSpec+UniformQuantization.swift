extension TensorSpec {
  /// The scale where there is one for the whole tensor; else 0, which is what the official
  /// runtime gives kernels of tensors with no scale or with one per channel.
  package var uniformScale: Float {
    guard let quantization, quantization.scales.count == 1 else { return 0 }
    return quantization.scale
  }

  /// The zero point that belongs to `uniformScale`.
  package var uniformZeroPoint: Int {
    guard let quantization, quantization.scales.count == 1 else { return 0 }
    return quantization.zeroPoint
  }
}
