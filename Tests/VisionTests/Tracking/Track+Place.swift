import OcellusImaging
import OcellusVision

extension Track {
  /// Returns a track whose centre is (`x`, `y`).
  static func at(_ id: Int?, _ x: Double, _ y: Double, category: Int? = nil) -> Track {
    Track(
      id: id, box: BoundingBox(x: x - 10, y: y - 20, width: 20, height: 40),
      category: category.map { Category(index: $0, score: 0.9) }, score: 0.9, detectionIndex: 0)
  }
}
