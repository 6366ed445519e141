/// One level of a sparse constant, in traversal order.
public struct SparseDimensionRecord: Sendable, Hashable {
  /// How the indices of a level are kept.
  public enum Format: Int, Sendable {
    /// Every index is stored.
    case dense = 0
    /// Only some indices are stored, as in compressed sparse rows.
    case sparseCSR = 1
  }

  /// How its indices are kept.
  public var format: Format
  /// How many indices there are, where every one is stored.
  public var denseSize: Int
  /// Where in ``arrayIndices`` each index of the level above begins and ends.
  public var arraySegments: [Int]
  /// The indices stored.
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
