/// A quantized operand brought to a scale that it shares with another one, in integers with some
/// bits to spare.
package struct QuantizedTerm: Sendable {
  package let zeroPoint: Int32
  package let spareBits: Int32
  package let multiplier: FixedPointMultiplier

  /// - Parameters:
  ///   - zeroPoint: what is taken off the elements first.
  ///   - spareBits: bits behind the point of the results, less than 32.
  ///   - multiplier: what the elements, less their zero point, are multiplied with.
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

/// How the official kernels add, subtract and compare two quantized operands: both are brought to
/// twice the greater of their scales, so that neither multiplier exceeds one half.
package struct QuantizedTerms: Sendable {
  package let first: QuantizedTerm
  package let second: QuantizedTerm
  /// What one unit of both terms is worth, but for the spare bits.
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
  /// The multiplier for a ratio of scales, which must be positive.
  package func positiveMultiplier(_ ratio: Double) throws(ModelError) -> FixedPointMultiplier {
    guard ratio > 0, let multiplier = FixedPointMultiplier(ratio) else {
      throw error("the scales have the ratio \(ratio), which is not usable")
    }
    return multiplier
  }

  /// Throws unless the tensors of a binary operator are quantized around zero, which the official
  /// arithmetic on 16 bits relies on.
  package func requireZeroPointsOfZero() throws(ModelError) {
    for tensor in [try input(0), try input(1), try output(0)] {
      try require(
        tensor.uniformZeroPoint == 0, "\(tensor.label) must have the zero point 0")
    }
  }
}
