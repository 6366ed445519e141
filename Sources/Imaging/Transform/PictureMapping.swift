/// The mapping of coordinates between an upright picture and the picture made from it.
///
/// To map to the stored pixels of a rotated picture, also apply `Orientation.stored(_:stored:)`.
public struct PictureMapping: Hashable, Sendable {
  /// The size of the upright source picture.
  public let source: PixelSize
  /// The size of the picture that is made from it.
  public let destination: PixelSize
  let sourcePart: PixelRectangle
  let destinationPart: PixelRectangle

  init(
    source: PixelSize, destination: PixelSize, sourcePart: PixelRectangle,
    destinationPart: PixelRectangle
  ) {
    self.source = source
    self.destination = destination
    self.sourcePart = sourcePart
    self.destinationPart = destinationPart
  }

  /// The region of the source that is used, in whole pixels; it may reach beyond the picture.
  public var sourceRegion: BoundingBox { sourcePart.box }
  /// The region of the destination that it fills; the rest is padding.
  public var destinationRegion: BoundingBox { destinationPart.box }

  /// The number of destination pixels per source pixel, horizontally.
  public var horizontalScale: Double { Double(destinationPart.width) / Double(sourcePart.width) }
  /// The number of destination pixels per source pixel, vertically.
  public var verticalScale: Double { Double(destinationPart.height) / Double(sourcePart.height) }

  /// Returns the point of the destination that corresponds to a point of the source.
  public func destination(of point: PixelPoint) -> PixelPoint {
    PixelPoint(
      x: Double(destinationPart.x) + (point.x - Double(sourcePart.x)) * horizontalScale,
      y: Double(destinationPart.y) + (point.y - Double(sourcePart.y)) * verticalScale)
  }

  /// Returns the point of the source that corresponds to a point of the destination.
  public func source(of point: PixelPoint) -> PixelPoint {
    PixelPoint(
      x: Double(sourcePart.x) + (point.x - Double(destinationPart.x)) / horizontalScale,
      y: Double(sourcePart.y) + (point.y - Double(destinationPart.y)) / verticalScale)
  }

  /// Returns the box of the destination that corresponds to a box of the source.
  public func destination(of box: BoundingBox) -> BoundingBox {
    let first = destination(of: PixelPoint(x: box.left, y: box.top))
    let last = destination(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }

  /// Returns the box of the source that corresponds to a box of the destination.
  public func source(of box: BoundingBox) -> BoundingBox {
    let first = source(of: PixelPoint(x: box.left, y: box.top))
    let last = source(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }
}
