/// A rectangle in pixels, relative to the upper left corner of the upright picture.
///
/// The edges lie between pixels: the box of a whole picture reaches from 0 to its width. A box may
/// reach beyond the picture; `clipped(to:)` clips it.
public struct BoundingBox: Hashable, Sendable, Codable {
  /// The left edge, in pixels from the left edge of the picture.
  public var left: Double
  /// The upper edge, in pixels from the upper edge of the picture.
  public var top: Double
  /// The right edge, in pixels from the left edge of the picture.
  public var right: Double
  /// The lower edge, in pixels from the upper edge of the picture.
  public var bottom: Double

  /// Creates a box from its four edges.
  @inlinable
  public init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Creates a box with its upper left corner at (`x`, `y`).
  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(left: x, top: y, right: x + width, bottom: y + height)
  }

  /// Creates the box of a whole picture.
  public init(_ size: PixelSize) {
    self.init(left: 0, top: 0, right: Double(size.width), bottom: Double(size.height))
  }

  /// The distance between the left and the right edge; negative if they are in the wrong order.
  @inlinable public var width: Double { right - left }

  /// The distance between the upper and the lower edge; negative if they are in the wrong order.
  @inlinable public var height: Double { bottom - top }

  /// The area in square pixels; 0 for a box whose edges are in the wrong order.
  @inlinable public var area: Double { max(width, 0) * max(height, 0) }

  /// The centre of the box.
  public var center: PixelPoint { PixelPoint(x: (left + right) / 2, y: (top + bottom) / 2) }

  /// Returns the common rectangle of two boxes; its area is 0 if they do not overlap.
  @inlinable
  public func intersection(_ other: BoundingBox) -> BoundingBox {
    BoundingBox(
      left: max(left, other.left), top: max(top, other.top),
      right: min(right, other.right), bottom: min(bottom, other.bottom))
  }

  /// Returns the smallest box that contains both boxes.
  @inlinable
  public func union(_ other: BoundingBox) -> BoundingBox {
    BoundingBox(
      left: min(left, other.left), top: min(top, other.top),
      right: max(right, other.right), bottom: max(bottom, other.bottom))
  }

  /// Returns the area of the intersection divided by the area of the union, 0…1.
  @inlinable
  public func intersectionOverUnion(_ other: BoundingBox) -> Double {
    let common = intersection(other).area
    let together = area + other.area - common
    return together > 0 ? common / together : 0
  }

  /// Returns the part of the box that lies in a picture of this size.
  public func clipped(to size: PixelSize) -> BoundingBox { intersection(BoundingBox(size)) }

  /// Returns the box in fractions of a picture of this size.
  public func normalized(by size: PixelSize) -> BoundingBox {
    let (width, height) = (Double(size.width), Double(size.height))
    return BoundingBox(
      left: left / width, top: top / height, right: right / width, bottom: bottom / height)
  }

  /// Returns the box moved by (`x`, `y`).
  public func offset(x: Double, y: Double) -> BoundingBox {
    BoundingBox(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
  }

  /// Returns the box with its coordinates multiplied by `x` and `y`.
  public func scaled(x: Double, y: Double) -> BoundingBox {
    BoundingBox(left: left * x, top: top * y, right: right * x, bottom: bottom * y)
  }
}
