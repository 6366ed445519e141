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

/// One level of a sparse constant, in traversal order.
package struct SparseDimensionRecord: Sendable, Hashable {
  package enum Format: Int, Sendable {
    /// Every index is stored.
    case dense = 0
    /// Only some indices are stored, as in compressed sparse rows.
    case sparseCSR = 1
  }

  package var format: Format
  package var denseSize: Int
  /// Where in ``arrayIndices`` each index of the level above begins and ends.
  package var arraySegments: [Int]
  /// The indices stored.
  package var arrayIndices: [Int]

  package init(
    format: Format, denseSize: Int = 0, arraySegments: [Int] = [], arrayIndices: [Int] = []
  ) {
    self.format = format
    self.denseSize = denseSize
    self.arraySegments = arraySegments
    self.arrayIndices = arrayIndices
  }
}
