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
