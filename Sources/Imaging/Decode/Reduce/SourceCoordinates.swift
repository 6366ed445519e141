/// The mapping of coordinates between a decoded picture and the picture in its file.
///
/// A pixel of a reduced picture stands for a square of pixels of the file. The last squares of the
/// stored picture may reach beyond its edges.
struct SourceCoordinates: Sendable {
  /// The number of pixels in the file per decoded pixel, in each direction.
  let divisor: Double
  private let across: Side
  private let down: Side

  /// One axis of the upright pictures.
  private struct Side {
    /// The length of the decoded picture; `source` is the length of the picture in the file.
    var image: Double
    var source: Double
    /// The length by which the first square reaches beyond the edge, if the axis is flipped.
    var excess: Double

    init(image: Int, source: Int, divisor: Double, isFlipped: Bool) {
      self.image = Double(image)
      self.source = Double(source)
      excess = isFlipped ? self.image * divisor - self.source : 0
    }
  }

  /// Creates the mapping of `image` to a picture of the upright size `source`.
  init(of image: Image, in source: PixelSize, divisor: Double) {
    self.divisor = divisor
    across = Side(
      image: image.size.width, source: source.width, divisor: divisor,
      isFlipped: image.orientation.flipsHorizontally)
    down = Side(
      image: image.size.height, source: source.height, divisor: divisor,
      isFlipped: image.orientation.flipsVertically)
  }

  /// Returns the point of the file's picture that corresponds to a point of the decoded picture.
  func source(of point: PixelPoint) -> PixelPoint {
    PixelPoint(x: source(point.x, across), y: source(point.y, down))
  }

  /// Returns the box of the decoded picture that corresponds to a box of the file's picture.
  func image(of box: BoundingBox) -> BoundingBox {
    box.offset(x: across.excess, y: down.excess).scaled(x: 1 / divisor, y: 1 / divisor)
  }

  private func source(_ coordinate: Double, _ side: Side) -> Double {
    let source = coordinate * divisor - side.excess
    // Points within the decoded picture must stay within the file's picture.
    return (0...side.image).contains(coordinate) ? min(max(source, 0), side.source) : source
  }
}
