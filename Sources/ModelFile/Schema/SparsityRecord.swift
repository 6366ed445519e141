/// How a sparse constant is compressed, in the TACO format that schema.fbs describes.
package struct SparsityRecord: Sendable, Hashable {
  /// A permutation of the tensor's dimensions, followed by one of the block dimensions.
  package var traversalOrder: [Int]
  /// The tensor dimension that each block dimension divides.
  package var blockMap: [Int]
  /// One for each entry of ``traversalOrder``.
  package var dimensions: [SparseDimensionRecord]

  package init(traversalOrder: [Int], blockMap: [Int], dimensions: [SparseDimensionRecord]) {
    self.traversalOrder = traversalOrder
    self.blockMap = blockMap
    self.dimensions = dimensions
  }
}
