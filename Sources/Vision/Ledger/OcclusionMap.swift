public import OcellusImaging

/// How much a detection depends on each part of a picture: what its score loses when that is covered.
public struct OcclusionMap: Sendable {
  /// The parts side by side.
  public var columns: Int
  /// The parts below each other.
  public var rows: Int
  /// The score that the detection has in the whole picture.
  public var score: Float
  /// For every part, row by row, the score that is lost: the whole, where the object is not found.
  public var losses: [Float]

  /// The share of the score that is lost, from 0 to 1.
  public var shares: [Float] { losses.map { score > 0 ? min(max($0 / score, 0), 1) : 0 } }
}

extension ObjectDetector {
  /// Covers one part of a picture after the other with gray, and looks for a detection again.
  ///
  /// It is the same object if its class is the same and the boxes overlap by half. A part is a cell of the
  /// grid; the cover is one and a half times as large, so that nothing hides in a seam. It takes a run for
  /// every part.
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
    for part in 0..<columns * rows {
      progress(part)
      let cover = BoundingBox(
        x: (Double(part % columns) - 0.25) * width, y: (Double(part / columns) - 0.25) * height,
        width: 1.5 * width, height: 1.5 * height)
      let found = try detect(in: image.covering(cover))
      let left = found.filter { $0.isSame(as: detection) }.map(\.score).max() ?? 0
      losses.append(max(detection.score - left, 0))
    }
    return OcclusionMap(columns: columns, rows: rows, score: detection.score, losses: losses)
  }
}

extension Image {
  /// The picture with gray in a part of it.
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
