import OcellusImaging

/// The places of names in a picture, which do not cover each other as long as there is room.
struct LabelPlaces {
  private let size: PixelSize
  private var taken: [BoundingBox] = []

  init(in size: PixelSize) { self.size = size }

  /// Returns the best place for a name of this size at its box, which then belongs to it.
  ///
  /// If every place covers another name, it is the place that covers least.
  mutating func take(
    width: Double, height: Double, at box: BoundingBox, lineWidth: Double
  ) -> BoundingBox {
    var best: (place: BoundingBox, covered: Double)?
    for corner in Self.corners(width: width, height: height, at: box, lineWidth: lineWidth) {
      let place = inside(BoundingBox(x: corner.x, y: corner.y, width: width, height: height))
      let covered = taken.reduce(0) { $0 + $1.intersection(place).area }
      if covered < best?.covered ?? .infinity { best = (place, covered) }
      if covered == 0 { break }
    }
    let place = best?.place ?? box
    taken.append(place)
    return place
  }

  /// The number of rows at a box's edges that names may be moved to.
  private static let rows = 8

  /// Returns the upper left corners of places at a box, the most usual first.
  ///
  /// They are above the box, below its upper edge, below the box, and along its sides.
  private static func corners(
    width: Double, height: Double, at box: BoundingBox, lineWidth: Double
  ) -> [PixelPoint] {
    let columns = [box.left - lineWidth / 2, box.right + lineWidth / 2 - width]
    let (above, below) = (box.top - lineWidth / 2 - height, box.bottom + lineWidth / 2)
    // Above the upper edge of the picture is no place.
    let ends = (above >= 0 ? [above] : []) + [box.top, below, box.bottom - height]
    let sides = (1..<rows).map { box.top + Double($0) * height }
    return (ends + sides).flatMap { y in columns.map { x in PixelPoint(x: x, y: y) } }
  }

  /// Moves a place into the picture, as far as it fits.
  private func inside(_ place: BoundingBox) -> BoundingBox {
    BoundingBox(
      x: min(max(place.left, 0), max(Double(size.width) - place.width, 0)),
      y: min(max(place.top, 0), max(Double(size.height) - place.height, 0)), width: place.width,
      height: place.height)
  }
}
