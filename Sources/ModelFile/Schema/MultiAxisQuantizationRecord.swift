/// A scale for every combination of indices of several dimensions.
public struct MultiAxisQuantizationRecord: Sendable, Hashable {
  /// The tensor of the subgraph that holds the scales.
  public var scalesTensor: Int
  /// The tensor with the zero points, -1 when they are 0.
  public var zeroPointsTensor: Int
  /// 0 when scales are per index, not per block.
  public var blockSize: Int
  /// The dimensions that have scales.
  public var axes: [Int]

  package init(scalesTensor: Int, zeroPointsTensor: Int, blockSize: Int, axes: [Int]) {
    self.scalesTensor = scalesTensor
    self.zeroPointsTensor = zeroPointsTensor
    self.blockSize = blockSize
    self.axes = axes
  }
}
