/// Where the pixels of a picture that was read are in its file.
///
/// A pixel of a picture that was read smaller is a square of pixels of the file, of which the last ones, as
/// they are stored, may lie partly beyond its edges.
struct SourcePlaces: Sendable {
  /// The pixels of the file for one pixel of the picture, in each direction.
  let divisor: Double
  private let across: Side
  private let down: Side

  /// One direction of the upright pictures.
  private struct Side {
    /// The lengths of the picture that was read, and of the one in the file.
    var image: Double
    var source: Double
    /// How far the first square reaches beyond the edge.
    var excess: Double

    init(image: Int, source: Int, divisor: Double, isTurned: Bool) {
      self.image = Double(image)
      self.source = Double(source)
      excess = isTurned ? self.image * divisor - self.source : 0
    }
  }

  /// The places of a picture that was read from one whose upright size is `source`.
  init(of image: Image, in source: PixelSize, divisor: Double) {
    self.divisor = divisor
    across = Side(
      image: image.size.width, source: source.width, divisor: divisor,
      isTurned: image.orientation.flipsHorizontally)
    down = Side(
      image: image.size.height, source: source.height, divisor: divisor,
      isTurned: image.orientation.flipsVertically)
  }

  /// Where a place of the picture that was read is in the file's.
  func source(of point: PixelPoint) -> PixelPoint {
    PixelPoint(x: source(point.x, across), y: source(point.y, down))
  }

  /// Where a box of the file's picture is in the one that was read.
  func image(of box: BoundingBox) -> BoundingBox {
    box.offset(x: across.excess, y: down.excess).scaled(x: 1 / divisor, y: 1 / divisor)
  }

  private func source(_ place: Double, _ side: Side) -> Double {
    let source = place * divisor - side.excess
    // The edges of one are the edges of the other.
    return (0...side.image).contains(place) ? min(max(source, 0), side.source) : source
  }
}
