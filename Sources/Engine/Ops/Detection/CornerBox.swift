/// A box by its edges, as detection models lay them out in memory.
package struct CornerBox: BitwiseCopyable, Sendable {
  package var yMin: Float
  package var xMin: Float
  package var yMax: Float
  package var xMax: Float

  package var area: Float { (yMax - yMin) * (xMax - xMin) }

  /// The same box where two opposite corners may have been given in either order.
  package var sorted: CornerBox {
    CornerBox(
      yMin: min(yMin, yMax), xMin: min(xMin, xMax), yMax: max(yMin, yMax), xMax: max(xMin, xMax))
  }

  /// The part of the two boxes' common area that both cover; 0 if either is empty.
  package func intersectionOverUnion(with other: CornerBox) -> Float {
    let (area, otherArea) = (area, other.area)
    if area <= 0 || otherArea <= 0 { return 0 }
    let height = max(min(yMax, other.yMax) - max(yMin, other.yMin), 0)
    let width = max(min(xMax, other.xMax) - max(xMin, other.xMin), 0)
    let intersection = height * width
    return intersection / (area + otherArea - intersection)
  }
}
