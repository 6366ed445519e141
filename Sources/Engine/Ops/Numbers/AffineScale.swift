/// One scale and zero point for a whole tensor: `real = scale × (integer − zeroPoint)`.
package struct AffineScale: Sendable, Hashable {
  package var scale: Float
  package var zeroPoint: Int

  package init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

extension NodeSpec {
  /// Returns the tensor's quantization, which must be per-tensor with a positive scale.
  package func affineScale(of tensor: TensorSpec) throws(ModelError) -> AffineScale {
    let (scale, zeroPoint) = try perTensorQuantization(of: tensor)
    try require(
      scale > 0 && scale.isFinite, "tensor \(tensor.label) has the impossible scale \(scale)")
    return AffineScale(scale: scale, zeroPoint: zeroPoint)
  }

  /// Returns the multiplier that requantizes integers by `ratio`.
  package func multiplier(_ ratio: Double) throws(ModelError) -> FixedPointMultiplier {
    guard let multiplier = FixedPointMultiplier(ratio) else {
      throw error("the scales of the tensors are too far apart")
    }
    return multiplier
  }
}
