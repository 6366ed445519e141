/// Where the pixels of an upright picture come to lie in another: the way there and back.
///
/// Places in the stored pixels of a turned picture follow through `Orientation.stored(_:stored:)`.
public struct PictureMapping: Hashable, Sendable {
  /// The size of the upright source picture.
  public let source: PixelSize
  /// The size of the picture that is made of it.
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

  /// The part of the source that is used, in whole pixels; it may reach beyond the picture.
  public var sourceRegion: BoundingBox { sourcePart.box }
  /// The part of the destination that it fills; around it is padding.
  public var destinationRegion: BoundingBox { destinationPart.box }

  /// Destination pixels for one source pixel, along rows.
  public var horizontalScale: Double { Double(destinationPart.width) / Double(sourcePart.width) }
  /// Destination pixels for one source pixel, along columns.
  public var verticalScale: Double { Double(destinationPart.height) / Double(sourcePart.height) }

  /// Where a place of the source is in the destination.
  public func destination(of point: PixelPoint) -> PixelPoint {
    PixelPoint(
      x: Double(destinationPart.x) + (point.x - Double(sourcePart.x)) * horizontalScale,
      y: Double(destinationPart.y) + (point.y - Double(sourcePart.y)) * verticalScale)
  }

  /// Where a place of the destination is in the source.
  public func source(of point: PixelPoint) -> PixelPoint {
    PixelPoint(
      x: Double(sourcePart.x) + (point.x - Double(destinationPart.x)) / horizontalScale,
      y: Double(sourcePart.y) + (point.y - Double(destinationPart.y)) / verticalScale)
  }

  /// Where a box of the source is in the destination.
  public func destination(of box: BoundingBox) -> BoundingBox {
    let first = destination(of: PixelPoint(x: box.left, y: box.top))
    let last = destination(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }

  /// Where a box of the destination is in the source.
  public func source(of box: BoundingBox) -> BoundingBox {
    let first = source(of: PixelPoint(x: box.left, y: box.top))
    let last = source(of: PixelPoint(x: box.right, y: box.bottom))
    return BoundingBox(left: first.x, top: first.y, right: last.x, bottom: last.y)
  }
}
