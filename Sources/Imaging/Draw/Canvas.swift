/// A picture to draw on: upright, in 8-bit RGB.
///
/// Coordinates are in pixels; (0, 0) is the upper left corner of the first pixel. Shapes are
/// antialiased: a partly covered pixel is blended. Whatever lies outside the picture is clipped.
public struct Canvas: Sendable {
  /// The picture, with everything drawn so far.
  public private(set) var image: Image

  /// Creates a canvas that shows a picture, rotated upright.
  public init(_ image: Image) throws(ImageError) {
    self.image = try image.upright().converted(to: .rgb8)
  }

  /// The size of the canvas.
  public var size: PixelSize { image.storedSize }

  // MARK: Shapes

  /// Fills a box.
  public mutating func fill(_ box: BoundingBox, _ color: Color) {
    paint(inside: box, color) { x, y in box.coverageHorizontal(x) * box.coverageVertical(y) }
  }

  /// Draws the outline of a box, centred on its edges.
  public mutating func stroke(_ box: BoundingBox, width: Double, _ color: Color) {
    let half = width / 2
    let outer = box.grown(by: half)
    let inner = box.grown(by: -half)
    // Four rectangles are filled rather than the whole area, because most of a box is not outline.
    let rectangles = [
      BoundingBox(left: outer.left, top: outer.top, right: outer.right, bottom: inner.top),
      BoundingBox(left: outer.left, top: inner.bottom, right: outer.right, bottom: outer.bottom),
      BoundingBox(left: outer.left, top: inner.top, right: inner.left, bottom: inner.bottom),
      BoundingBox(left: inner.right, top: inner.top, right: outer.right, bottom: inner.bottom),
    ]
    guard inner.width > 0, inner.height > 0 else { return fill(outer, color) }
    for rectangle in rectangles { fill(rectangle, color) }
  }

  /// Draws a line with round ends.
  public mutating func line(
    from start: PixelPoint, to end: PixelPoint, width: Double, _ color: Color
  ) {
    let half = width / 2
    let bounds = BoundingBox(
      left: min(start.x, end.x), top: min(start.y, end.y), right: max(start.x, end.x),
      bottom: max(start.y, end.y)
    ).grown(by: half + 1)
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let squaredLength = max(dx * dx + dy * dy, .leastNormalMagnitude)
    paint(inside: bounds, color) { x, y in
      let (px, py) = (Double(x) + 0.5 - start.x, Double(y) + 0.5 - start.y)
      let along = min(max((px * dx + py * dy) / squaredLength, 0), 1)
      let (ex, ey) = (px - along * dx, py - along * dy)
      return min(max(half + 0.5 - (ex * ex + ey * ey).squareRoot(), 0), 1)
    }
  }

  /// Draws line segments from each point to the next.
  public mutating func polyline(_ points: [PixelPoint], width: Double, _ color: Color) {
    if points.count == 1 { return line(from: points[0], to: points[0], width: width, color) }
    for (start, end) in zip(points, points.dropFirst()) {
      line(from: start, to: end, width: width, color)
    }
  }

  /// Overlays a grid of values as colours, from transparent at 0 through blue and green to red at
  /// 1.
  ///
  /// Values between the centres of cells are interpolated.
  public mutating func heatMap(
    _ values: [Float], columns: Int, in box: BoundingBox, opacity: Double = 0.6
  ) {
    guard columns > 0, !values.isEmpty, values.count % columns == 0, box.area > 0 else { return }
    let map = HeatMap(values: values, columns: columns)
    for y in rowRange(of: box) {
      for x in columnRange(of: box) {
        let value = map.value(
          x: (Double(x) + 0.5 - box.left) / box.width, y: (Double(y) + 0.5 - box.top) / box.height)
        blend(HeatMap.color(value), coverage: opacity * min(2 * value, 1), x: x, y: y)
      }
    }
  }

  /// Blends a colour into every pixel for which `color` returns one, by its opacity.
  public mutating func tint(_ color: (_ column: Int, _ row: Int) -> Color?) {
    for y in 0..<size.height {
      for x in 0..<size.width {
        if let color = color(x, y) { blend(color, coverage: 1, x: x, y: y) }
      }
    }
  }

  /// Draws another picture, rotated upright, with its upper left corner at pixel (`x`, `y`).
  public mutating func draw(
    _ picture: Image, x: Int, y: Int, opacity: Double = 1
  ) throws(ImageError) {
    let source = try picture.upright().converted(to: .rgba8)
    let plane = source.planes[0]
    let pixels = source.withUnsafeBytes { Array($0) }
    for row in max(0, -y)..<max(min(source.storedSize.height, size.height - y), max(0, -y)) {
      for column in max(0, -x)..<max(min(source.storedSize.width, size.width - x), max(0, -x)) {
        let start = plane.byteOffset + row * plane.rowStride + 4 * column
        let color = Color(
          red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2],
          opacity: Double(pixels[start + 3]) / 255)
        blend(color, coverage: opacity, x: x + column, y: y + row)
      }
    }
  }

  // MARK: Text

  /// Writes a line of text with its upper left corner at (`x`, `y`).
  ///
  /// `scale` is the size of a dot of the font, in pixels. Characters that the font lacks are drawn
  /// as an empty frame.
  public mutating func text(
    _ text: String, x: Double, y: Double, scale: Int = 1, _ color: Color
  ) {
    // Dots that begin at pixel edges stay sharp.
    let (left, top) = (x.rounded(), y.rounded())
    for (position, character) in text.enumerated() {
      let rows = DotFont.rows(of: character)
      for (row, dots) in rows.enumerated() {
        for column in 0..<DotFont.width where dots >> (DotFont.width - 1 - column) & 1 == 1 {
          fill(
            BoundingBox(
              x: left + Double((position * DotFont.advance + column) * scale),
              y: top + Double(row * scale), width: Double(scale), height: Double(scale)),
            color)
        }
      }
    }
  }

  /// Returns the size of a line of text.
  public static func textSize(_ text: String, scale: Int = 1) -> PixelSize {
    PixelSize(
      width: max(text.count * DotFont.advance - 1, 0) * scale, height: DotFont.height * scale)
  }

  // MARK: Pixels

  private func columnRange(of box: BoundingBox) -> Range<Int> {
    Self.pixels(box.left, box.right, size.width)
  }

  private func rowRange(of box: BoundingBox) -> Range<Int> {
    Self.pixels(box.top, box.bottom, size.height)
  }

  /// Returns the pixels that lie between two edges, at least in part.
  private static func pixels(_ first: Double, _ last: Double, _ limit: Int) -> Range<Int> {
    guard first.isFinite, last.isFinite else { return 0..<0 }
    let start = Int(min(max(first.rounded(.down), 0), Double(limit)))
    let end = Int(min(max(last.rounded(.up), 0), Double(limit)))
    return start..<max(start, end)
  }

  /// Blends a colour into the pixels of a box, weighted by `coverage`.
  private mutating func paint(
    inside box: BoundingBox, _ color: Color, coverage: (Int, Int) -> Double
  ) {
    for y in rowRange(of: box) {
      for x in columnRange(of: box) { blend(color, coverage: coverage(x, y), x: x, y: y) }
    }
  }

  private mutating func blend(_ color: Color, coverage: Double, x: Int, y: Int) {
    let share = coverage * color.opacity
    guard share > 0 else { return }
    let start = image.planes[0].byteOffset + y * image.planes[0].rowStride + 3 * x
    image.withUnsafeMutableBytes { bytes in
      func mix(_ offset: Int, _ value: UInt8) {
        let old = Double(bytes[start + offset])
        bytes[start + offset] = UInt8((old + (Double(value) - old) * share).rounded())
      }
      mix(0, color.red)
      mix(1, color.green)
      mix(2, color.blue)
    }
  }
}

extension BoundingBox {
  fileprivate func grown(by margin: Double) -> BoundingBox {
    BoundingBox(
      left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// Returns the fraction of the width of column `x` that lies between the left and the right edge.
  fileprivate func coverageHorizontal(_ x: Int) -> Double {
    max(min(right, Double(x + 1)) - max(left, Double(x)), 0)
  }

  /// Returns the fraction of the height of row `y` that lies between the upper and the lower edge.
  fileprivate func coverageVertical(_ y: Int) -> Double {
    max(min(bottom, Double(y + 1)) - max(top, Double(y)), 0)
  }
}
