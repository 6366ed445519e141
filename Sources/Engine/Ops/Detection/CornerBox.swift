/// A box as minimum and maximum coordinates, in the memory layout of detection models.
package struct CornerBox: BitwiseCopyable, Sendable {
  package var yMin: Float
  package var xMin: Float
  package var yMax: Float
  package var xMax: Float

  package var area: Float { (yMax - yMin) * (xMax - xMin) }

  /// The same box with opposite corners in order, whichever order they were given in.
  package var sorted: CornerBox {
    CornerBox(
      yMin: min(yMin, yMax), xMin: min(xMin, xMax), yMax: max(yMin, yMax), xMax: max(xMin, xMax))
  }

  /// Returns the intersection of both boxes divided by their union; 0 if either is empty.
  package func intersectionOverUnion(with other: CornerBox) -> Float {
    let (area, otherArea) = (area, other.area)
    if area <= 0 || otherArea <= 0 { return 0 }
    let height = max(min(yMax, other.yMax) - max(yMin, other.yMin), 0)
    let width = max(min(xMax, other.xMax) - max(xMin, other.xMin), 0)
    let intersection = height * width
    return intersection / (area + otherArea - intersection)
  }
}
