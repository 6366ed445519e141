public import OcellusImaging

/// A grid of overlapping tiles of a picture that are searched in addition to the whole.
public struct Tiling: Hashable, Sendable {
  /// The division into tiles.
  public enum Grid: Hashable, Sendable {
    /// A fixed number of tiles, independent of the picture's size.
    case parts(columns: Int, rows: Int)
    /// Square tiles with sides of the given number of pixels, as many as cover the picture.
    case side(Int)
  }

  /// The division into tiles.
  public var grid: Grid
  /// The smallest share of its width and height that a tile has in common with the next one, 0…0.9.
  public var overlap: Double

  /// The largest number of tiles that is accepted for one picture.
  package static let maximumTiles = 4096

  /// Creates a grid of `columns` by `rows` tiles.
  public init(columns: Int, rows: Int, overlap: Double = 0.2) {
    precondition(columns > 0 && rows > 0, "a grid of \(columns) by \(rows)")
    self.init(.parts(columns: columns, rows: rows), overlap: overlap)
  }

  /// Creates square tiles of `side` by `side` pixels; pictures that are not larger are not divided.
  public init(side: Int, overlap: Double = 0.2) {
    precondition(side > 0, "parts of \(side) pixels")
    self.init(.side(side), overlap: overlap)
  }

  private init(_ grid: Grid, overlap: Double) {
    self.grid = grid
    self.overlap = min(max(overlap, 0), 0.9)
  }

  /// Returns the tiles of a region, row by row; none when the region is not divided.
  public func tiles(of region: BoundingBox) -> [BoundingBox] {
    let across = spans(from: region.left, to: region.right, isHorizontal: true)
    let down = spans(from: region.top, to: region.bottom, isHorizontal: false)
    guard across.count * down.count > 1 else { return [] }
    return down.flatMap { row in
      across.map { column in
        BoundingBox(
          left: column.lowerBound, top: row.lowerBound, right: column.upperBound,
          bottom: row.upperBound)
      }
    }
  }

  /// Returns the tiles of a region that a caller gave, whose size may be anything.
  ///
  /// - Throws: `VisionError.mismatched` when there are more than `maximumTiles`.
  func checkedTiles(of region: BoundingBox) throws(VisionError) -> [BoundingBox] {
    let count = count(region.width, isHorizontal: true) * count(region.height, isHorizontal: false)
    guard count <= Double(Self.maximumTiles) else {
      throw .mismatched(
        "a region of \(region.width) x \(region.height) has more than \(Self.maximumTiles) parts of this size"
      )
    }
    return tiles(of: region)
  }

  /// Returns the number of tiles along one dimension.
  private func count(_ length: Double, isHorizontal: Bool) -> Double {
    switch grid {
    case .parts(let columns, let rows): Double(isHorizontal ? columns : rows)
    case .side(let side):
      max(((length - Double(side)) / (Double(side) * (1 - overlap))).rounded(.up), 0) + 1
    }
  }

  /// Returns the ranges of the tiles between two edges.
  private func spans(
    from start: Double, to end: Double, isHorizontal: Bool
  ) -> [ClosedRange<Double>] {
    let length = max(end - start, 0)
    let count = Int(count(length, isHorizontal: isHorizontal))
    let tileLength: Double =
      switch grid {
      // n tiles of length l that overlap by the share s cover l · (n − (n − 1)·s).
      case .parts: length / (Double(count) - Double(count - 1) * overlap)
      case .side(let side): min(Double(side), length)
      }
    // The first begins at one edge, the last ends at the other, and the rest are evenly spaced.
    let step = count > 1 ? (length - tileLength) / Double(count - 1) : 0
    return (0..<count).map { index in
      let first = start + Double(index) * step
      return first...first + tileLength
    }
  }
}
