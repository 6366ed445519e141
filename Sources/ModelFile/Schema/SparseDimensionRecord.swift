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
