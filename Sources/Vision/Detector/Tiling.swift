public import OcellusImaging

/// A grid of overlapping parts of a picture that are looked at one by one, besides the whole.
public struct Tiling: Hashable, Sendable {
  /// What the parts are like.
  public enum Grid: Hashable, Sendable {
    /// So many parts, however large the picture is.
    case parts(columns: Int, rows: Int)
    /// Squares with sides of so many pixels, as many as it takes.
    case side(Int)
  }

  /// What the parts are like.
  public var grid: Grid
  /// How much of its width and height a part shares at least with the next, 0…0.9.
  public var overlap: Double

  /// The parts of a picture that anybody can wait for.
  package static let mostTiles = 4096

  /// A grid of `columns` by `rows` parts.
  public init(columns: Int, rows: Int, overlap: Double = 0.2) {
    precondition(columns > 0 && rows > 0, "a grid of \(columns) by \(rows)")
    self.init(.parts(columns: columns, rows: rows), overlap: overlap)
  }

  /// Squares of `side` by `side` pixels; a picture that is not larger is looked at as a whole only.
  public init(side: Int, overlap: Double = 0.2) {
    precondition(side > 0, "parts of \(side) pixels")
    self.init(.side(side), overlap: overlap)
  }

  private init(_ grid: Grid, overlap: Double) {
    self.grid = grid
    self.overlap = min(max(overlap, 0), 0.9)
  }

  /// The parts of a region, row by row.
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

  /// The parts of a region that somebody asked for, of whatever size.
  ///
  /// - Throws: `VisionError.mismatched` when they are too many to wait for.
  func checkedTiles(of region: BoundingBox) throws(VisionError) -> [BoundingBox] {
    let count = count(region.width, isHorizontal: true) * count(region.height, isHorizontal: false)
    guard count <= Double(Self.mostTiles) else {
      throw .mismatched(
        "a region of \(region.width) x \(region.height) has more than \(Self.mostTiles) parts of this size"
      )
    }
    return tiles(of: region)
  }

  /// The number of parts along a length.
  private func count(_ length: Double, isHorizontal: Bool) -> Double {
    switch grid {
    case .parts(let columns, let rows): Double(isHorizontal ? columns : rows)
    case .side(let side):
      max(((length - Double(side)) / (Double(side) * (1 - overlap))).rounded(.up), 0) + 1
    }
  }

  /// Where the parts begin and end between two edges.
  private func spans(
    from start: Double, to end: Double, isHorizontal: Bool
  ) -> [ClosedRange<Double>] {
    let length = max(end - start, 0)
    let count = Int(count(length, isHorizontal: isHorizontal))
    let part: Double =
      switch grid {
      // n parts of length l that share a share s of it cover l · (n − (n − 1)·s).
      case .parts: length / (Double(count) - Double(count - 1) * overlap)
      case .side(let side): min(Double(side), length)
      }
    // The first begins at one edge, the last ends at the other, and the others lie evenly between.
    let step = count > 1 ? (length - part) / Double(count - 1) : 0
    return (0..<count).map { index in
      let first = start + Double(index) * step
      return first...first + part
    }
  }
}
