/// A rectangle of whole pixels, which may reach beyond the picture.
package struct PixelRectangle: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var size: PixelSize

  package var width: Int { size.width }
  package var height: Int { size.height }
  package var columns: Range<Int> { x..<x + width }
  package var rows: Range<Int> { y..<y + height }
  package var box: BoundingBox {
    BoundingBox(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  package init(x: Int, y: Int, size: PixelSize) {
    self.x = x
    self.y = y
    self.size = size
  }

  package init(_ size: PixelSize) { self.init(x: 0, y: 0, size: size) }

  /// Rounds the edges of a box to pixel edges; each side becomes at least one pixel long.
  package init(rounding box: BoundingBox) throws(ImageError) {
    // Larger than any picture, and small enough that integer sums cannot overflow.
    let limit = 1e8
    guard box.left > -limit, box.top > -limit, box.right < limit, box.bottom < limit,
      box.width > 0, box.height > 0
    else {
      throw ImageError(
        .mismatched,
        "a region from (\(box.left), \(box.top)) to (\(box.right), \(box.bottom)) is none")
    }
    let (x, y) = (Int(box.left.rounded()), Int(box.top.rounded()))
    self.init(
      x: x, y: y,
      size: PixelSize(
        width: max(Int(box.right.rounded()) - x, 1),
        height: max(Int(box.bottom.rounded()) - y, 1)))
  }

  /// Returns the common rectangle, which has no width or no height if there is none.
  package func intersection(_ other: PixelRectangle) -> PixelRectangle {
    let columns = columns.clamped(to: other.columns)
    let rows = rows.clamped(to: other.rows)
    return PixelRectangle(
      x: columns.lowerBound, y: rows.lowerBound,
      size: PixelSize(width: columns.count, height: rows.count))
  }
}
