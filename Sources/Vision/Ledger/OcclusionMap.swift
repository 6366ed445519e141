public import OcellusImaging

/// The influence of each part of a picture on a detection: the score lost when the part is covered.
public struct OcclusionMap: Sendable {
  /// The number of columns of the grid.
  public var columns: Int
  /// The number of rows of the grid.
  public var rows: Int
  /// The score of the detection in the whole picture.
  public var score: Float
  /// The loss of score for each cell, row by row; the whole score if the object is not found.
  public var losses: [Float]

  /// The share of the score that is lost, from 0 to 1.
  public var shares: [Float] { losses.map { score > 0 ? min(max($0 / score, 0), 1) : 0 } }
}

extension ObjectDetector {
  /// Covers one cell of a grid after the other with gray, and runs the detector again.
  ///
  /// An object is the same if its class is equal and its box overlaps by half. The gray box is one
  /// and a half times as large as the cell, so that no detail stays visible at the cells' borders.
  /// The network runs once for every cell.
  public func occlusionMap(
    of detection: Detection, in image: Image, columns: Int = 12, rows: Int = 12,
    progress: (_ part: Int) -> Void = { _ in }
  ) throws(VisionError) -> OcclusionMap {
    guard columns > 0, rows > 0 else {
      throw .mismatched("a grid of \(columns) by \(rows) parts has none")
    }
    let (width, height) = (
      Double(image.size.width) / Double(columns), Double(image.size.height) / Double(rows)
    )
    var losses: [Float] = []
    for cell in 0..<columns * rows {
      progress(cell)
      let cover = BoundingBox(
        x: (Double(cell % columns) - 0.25) * width, y: (Double(cell / columns) - 0.25) * height,
        width: 1.5 * width, height: 1.5 * height)
      let found = try detect(in: image.covering(cover))
      let left = found.filter { $0.isSame(as: detection) }.map(\.score).max() ?? 0
      losses.append(max(detection.score - left, 0))
    }
    return OcclusionMap(columns: columns, rows: rows, score: detection.score, losses: losses)
  }
}

extension Image {
  /// Returns the picture with a gray box.
  fileprivate func covering(_ box: BoundingBox) throws(VisionError) -> Image {
    do throws(ImageError) {
      var canvas = try Canvas(self)
      canvas.fill(box, Color(red: 128, green: 128, blue: 128))
      return canvas.image
    } catch {
      throw .image(error)
    }
  }
}

extension Detection {
  fileprivate func isSame(as other: Detection) -> Bool {
    categories.first?.index == other.categories.first?.index
      && box.intersectionOverUnion(other.box) >= 0.5
  }
}
