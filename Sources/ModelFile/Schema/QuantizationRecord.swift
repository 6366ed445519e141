/// The mapping from stored integers to real numbers: `scale * (stored - zeroPoint)`.
public struct QuantizationRecord: Sendable, Hashable {
  /// One scale for the tensor, or one per index of ``axis``; empty if only a range or details are
  /// known.
  public var scales: [Float]
  /// The zero points, as many as ``scales``; each fits in 32 bits.
  public var zeroPoints: [Int]
  /// The dimension along which several scales differ; inside the shape unless that is empty.
  public var axis: Int
  /// The smallest real numbers that the converter recorded.
  public var minimum: [Float]
  /// The largest real numbers that the converter recorded.
  public var maximum: [Float]
  /// The scales for blocks of elements, which another tensor holds.
  public var blockwise: BlockwiseQuantizationRecord?
  /// The scales for several dimensions, which another tensor holds.
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
  /// The index of the tensor that holds the scales.
  public var scalesTensor: Int
  /// The index of the tensor with the zero points; -1 if they are 0.
  public var zeroPointsTensor: Int
  /// The number of elements that share a scale.
  public var blockSize: Int

  package init(scalesTensor: Int, zeroPointsTensor: Int, blockSize: Int) {
    self.scalesTensor = scalesTensor
    self.zeroPointsTensor = zeroPointsTensor
    self.blockSize = blockSize
  }
}
