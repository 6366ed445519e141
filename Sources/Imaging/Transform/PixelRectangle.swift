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

  /// The box with its edges moved to the nearest pixel edges, and at least one pixel large.
  package init(rounding box: BoundingBox) throws(ImageError) {
    let edges = [box.left, box.top, box.right, box.bottom]
    // Larger than any picture, and far from what sums of integers overflow at.
    guard edges.allSatisfy({ $0.magnitude < 1e8 }), box.width > 0, box.height > 0 else {
      throw ImageError(.mismatched, "a region from \(edges[0...1]) to \(edges[2...3]) is none")
    }
    let pixels = edges.map { Int($0.rounded()) }
    self.init(
      x: pixels[0], y: pixels[1],
      size: PixelSize(
        width: max(pixels[2] - pixels[0], 1), height: max(pixels[3] - pixels[1], 1)))
  }

  /// What the two have in common; of no width or height when that is nothing.
  package func intersection(_ other: PixelRectangle) -> PixelRectangle {
    let columns = columns.clamped(to: other.columns)
    let rows = rows.clamped(to: other.rows)
    return PixelRectangle(
      x: columns.lowerBound, y: rows.lowerBound,
      size: PixelSize(width: columns.count, height: rows.count))
  }
}
