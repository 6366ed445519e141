/// One level of a sparse constant, in traversal order.
public struct SparseDimensionRecord: Sendable, Hashable {
  /// The storage of a level's indices.
  public enum Format: Int, Sendable {
    /// Every index is stored.
    case dense = 0
    /// Only some indices are stored, as in compressed sparse rows.
    case sparseCSR = 1
  }

  /// The storage of the level's indices.
  public var format: Format
  /// The number of indices in a dense level.
  public var denseSize: Int
  /// The bounds in ``arrayIndices`` of each index of the level above.
  public var arraySegments: [Int]
  /// The stored indices.
  public var arrayIndices: [Int]

  package init(
    format: Format, denseSize: Int = 0, arraySegments: [Int] = [], arrayIndices: [Int] = []
  ) {
    self.format = format
    self.denseSize = denseSize
    self.arraySegments = arraySegments
    self.arrayIndices = arrayIndices
  }
}
