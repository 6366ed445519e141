public import OcellusImaging

/// A grid of overlapping parts of a picture that are looked at one by one, besides the whole.
public struct Tiling: Hashable, Sendable {
  /// The number of parts next to each other.
  public var columns: Int
  /// The number of parts above each other.
  public var rows: Int
  /// How much of its width and height a part shares with the next, 0…0.9.
  public var overlap: Double

  /// A grid of `columns` by `rows` parts.
  public init(columns: Int, rows: Int, overlap: Double = 0.2) {
    precondition(columns > 0 && rows > 0, "a grid of \(columns) by \(rows)")
    self.columns = columns
    self.rows = rows
    self.overlap = min(max(overlap, 0), 0.9)
  }

  /// The parts of a region, row by row.
  public func tiles(of region: BoundingBox) -> [BoundingBox] {
    guard columns * rows > 1 else { return [] }
    // n parts of width w that share a share s of it cover w · (n − (n − 1)·s).
    let width = region.width / (Double(columns) - Double(columns - 1) * overlap)
    let height = region.height / (Double(rows) - Double(rows - 1) * overlap)
    return (0..<rows).flatMap { row in
      (0..<columns).map { column in
        BoundingBox(
          x: region.left + Double(column) * width * (1 - overlap),
          y: region.top + Double(row) * height * (1 - overlap), width: width, height: height)
      }
    }
  }
}
