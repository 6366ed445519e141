/// A scale for every combination of indices of several dimensions.
public struct MultiAxisQuantizationRecord: Sendable, Hashable {
  /// The index of the tensor that holds the scales.
  public var scalesTensor: Int
  /// The index of the tensor with the zero points; -1 if they are 0.
  public var zeroPointsTensor: Int
  /// The number of elements in a block; 0 if there is a scale for each index, not for each block.
  public var blockSize: Int
  /// The dimensions along which scales differ.
  public var axes: [Int]

  package init(scalesTensor: Int, zeroPointsTensor: Int, blockSize: Int, axes: [Int]) {
    self.scalesTensor = scalesTensor
    self.zeroPointsTensor = zeroPointsTensor
    self.blockSize = blockSize
    self.axes = axes
  }
}
