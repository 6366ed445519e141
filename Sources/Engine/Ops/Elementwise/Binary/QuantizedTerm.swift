/// A quantized operand rescaled to a common scale, as an integer with some spare fractional bits.
package struct QuantizedTerm: Sendable {
  package let zeroPoint: Int32
  package let spareBits: Int32
  package let multiplier: FixedPointMultiplier

  /// - Parameters:
  ///   - zeroPoint: the number that is subtracted from the elements first.
  ///   - spareBits: the fractional bits of the results, less than 32.
  ///   - multiplier: the factor of the elements less their zero point.
  package init(zeroPoint: Int, spareBits: Int, multiplier: FixedPointMultiplier) {
    self.zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    self.spareBits = Int32(truncatingIfNeeded: spareBits)
    self.multiplier = multiplier
  }

  @inline(__always)
  package func callAsFunction<Stored: FixedWidthInteger>(_ stored: Stored) -> Int32 {
    multiplier.scaleDown((Int32(truncatingIfNeeded: stored) &- zeroPoint) &<< spareBits)
  }
}

/// The two operands of a quantized sum, difference or comparison, as the official kernels rescale
/// them.
///
/// Both get twice the greater of their scales, which keeps the multipliers at one half or below.
package struct QuantizedTerms: Sendable {
  package let first: QuantizedTerm
  package let second: QuantizedTerm
  /// The real value of one unit of both terms, ignoring the spare bits.
  package let scale: Double

  package init(of node: NodeSpec, spareBits: Int) throws(ModelError) {
    let (first, second) = (try node.input(0), try node.input(1))
    let firstScale = try node.perTensorQuantization(of: first).scale
    let secondScale = try node.perTensorQuantization(of: second).scale
    let scale = Double(2 * max(firstScale, secondScale))
    func term(_ tensor: TensorSpec) throws(ModelError) -> QuantizedTerm {
      let quantization = try node.perTensorQuantization(of: tensor)
      return QuantizedTerm(
        zeroPoint: quantization.zeroPoint, spareBits: spareBits,
        multiplier: try node.positiveMultiplier(Double(quantization.scale) / scale))
    }
    self.scale = scale
    self.first = try term(first)
    self.second = try term(second)
  }
}

extension NodeSpec {
  /// Returns the multiplier for a ratio of scales, which must be positive.
  package func positiveMultiplier(_ ratio: Double) throws(ModelError) -> FixedPointMultiplier {
    guard ratio > 0, let multiplier = FixedPointMultiplier(ratio) else {
      throw error("the scales have the ratio \(ratio), which is not usable")
    }
    return multiplier
  }

  /// Throws unless the tensors of a binary operator have zero points of 0, on which the official
  /// 16-bit arithmetic relies.
  package func requireZeroPointsOfZero() throws(ModelError) {
    for tensor in [try input(0), try input(1), try output(0)] {
      try require(
        tensor.uniformZeroPoint == 0, "\(tensor.label) must have the zero point 0")
    }
  }
}
