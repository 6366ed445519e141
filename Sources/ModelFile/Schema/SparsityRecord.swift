/// The layout of a sparse constant, in the TACO format that schema.fbs describes.
public struct SparsityRecord: Sendable, Hashable {
  /// A permutation of the tensor's dimensions, followed by one of the block dimensions.
  public var traversalOrder: [Int]
  /// The tensor dimension that each block dimension divides.
  public var blockMap: [Int]
  /// One level for each entry of ``traversalOrder``.
  public var dimensions: [SparseDimensionRecord]

  package init(traversalOrder: [Int], blockMap: [Int], dimensions: [SparseDimensionRecord]) {
    self.traversalOrder = traversalOrder
    self.blockMap = blockMap
    self.dimensions = dimensions
  }
}
