// XNNPACK's bilinear interpolation: along a row first, then between rows, with distances in single
// precision, or in units of 1/2048 pixel for bytes.

extension Resize {
  func delegatedNeighbors(_ position: Int, _ input: Int, _ output: Int) -> Neighbors<Float> {
    let scale = scale(from: input, to: output)
    let offset = 0.5 * scale - 0.5
    let coordinate =
      hasHalfPixelCenters ? max(Float(position) * scale + offset, 0) : Float(position) * scale
    let bounded = min(coordinate, Float(input - 1))
    let lower = Int(bounded)
    return Neighbors(
      lower: lower, upper: min(lower + 1, input - 1), fraction: bounded - Float(lower))
  }

  func delegatedFixedPointNeighbors(
    _ position: Int, _ input: Int, _ output: Int
  ) -> Neighbors<Int> {
    let neighbors = delegatedNeighbors(position, input, output)
    return Neighbors(
      lower: neighbors.lower, upper: neighbors.upper,
      fraction: Int((neighbors.fraction * 0x1p11).rounded(.toNearestOrEven)))
  }

  @inline(__always)
  static func mixOfXNNPACK(_ corners: Corners<Float>, _ y: Float, _ x: Float) -> Float {
    let top = corners.topLeft + (corners.topRight - corners.topLeft) * x
    let bottom = corners.bottomLeft + (corners.bottomRight - corners.bottomLeft) * x
    return top + (bottom - top) * y
  }

  @inline(__always)
  static func mixOfXNNPACK<Element: FixedWidthInteger>(
    _ corners: Corners<Element>, _ y: Int, _ x: Int
  ) -> Element {
    let (left, lowerLeft) = (Int(corners.topLeft), Int(corners.bottomLeft))
    let top = left << 11 + (Int(corners.topRight) - left) * x
    let bottom = lowerLeft << 11 + (Int(corners.bottomRight) - lowerLeft) * x
    return Element(truncatingIfNeeded: (top << 11 + (bottom - top) * y + 1 << 21) >> 22)
  }
}
