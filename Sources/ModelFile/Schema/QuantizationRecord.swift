/// How stored integers stand for real numbers: `scale * (stored - zeroPoint)`.
package struct QuantizationRecord: Sendable, Hashable {
  /// One for the tensor or one per index of ``axis``; empty when only a range or details are known.
  package var scales: [Float]
  /// As many as ``scales``; each fits in 32 bits.
  package var zeroPoints: [Int]
  /// The dimension that several scales belong to; inside the shape unless that is empty.
  package var axis: Int
  package var minimum: [Float]
  package var maximum: [Float]
  package var blockwise: BlockwiseQuantizationRecord?
  package var multiAxis: MultiAxisQuantizationRecord?

  package init(
    scales: [Float] = [], zeroPoints: [Int] = [], axis: Int = 0, minimum: [Float] = [],
    maximum: [Float] = [], blockwise: BlockwiseQuantizationRecord? = nil,
    multiAxis: MultiAxisQuantizationRecord? = nil
  ) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
    self.minimum = minimum
    self.maximum = maximum
    self.blockwise = blockwise
    self.multiAxis = multiAxis
  }
}

/// A scale for every block of elements along the last dimension.
package struct BlockwiseQuantizationRecord: Sendable, Hashable {
  /// The tensor of the subgraph that holds the scales.
  package var scalesTensor: Int
  /// The tensor with the zero points, -1 when they are 0.
  package var zeroPointsTensor: Int
  package var blockSize: Int

  package init(scalesTensor: Int, zeroPointsTensor: Int, blockSize: Int) {
    self.scalesTensor = scalesTensor
    self.zeroPointsTensor = zeroPointsTensor
    self.blockSize = blockSize
  }
}
