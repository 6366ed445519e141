/// How stored integers stand for real numbers: `scale * (stored - zeroPoint)`.
public struct QuantizationRecord: Sendable, Hashable {
  /// One for the tensor or one per index of ``axis``; empty when only a range or details are known.
  public var scales: [Float]
  /// As many as ``scales``; each fits in 32 bits.
  public var zeroPoints: [Int]
  /// The dimension that several scales belong to; inside the shape unless that is empty.
  public var axis: Int
  /// The smallest real numbers that were seen, as the converter noted.
  public var minimum: [Float]
  /// The largest ones.
  public var maximum: [Float]
  /// Scales for blocks of elements, in a tensor of their own.
  public var blockwise: BlockwiseQuantizationRecord?
  /// Scales for several dimensions, in a tensor of their own.
  public var multiAxis: MultiAxisQuantizationRecord?

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
public struct BlockwiseQuantizationRecord: Sendable, Hashable {
  /// The tensor of the subgraph that holds the scales.
  public var scalesTensor: Int
  /// The tensor with the zero points, -1 when they are 0.
  public var zeroPointsTensor: Int
  /// How many elements have a scale in common.
  public var blockSize: Int

  package init(scalesTensor: Int, zeroPointsTensor: Int, blockSize: Int) {
    self.scalesTensor = scalesTensor
    self.zeroPointsTensor = zeroPointsTensor
    self.blockSize = blockSize
  }
}
