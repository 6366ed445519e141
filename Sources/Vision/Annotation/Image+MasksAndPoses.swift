public import OcellusImaging

extension Image {
  /// Returns the upright picture with its pixels tinted by class, except for the background.
  public func annotated(
    with segmentation: Segmentation, background: Int? = nil
  ) throws(ImageError) -> Image {
    var canvas = try Canvas(self)
    canvas.tint { column, row in
      guard let category = segmentation.category(column: column, row: row),
        category != background
      else { return nil }
      return Color.distinct(category).withOpacity(0.5)
    }
    return canvas.image
  }

  /// Returns the upright picture with the poses' keypoints, joined by lines in bodies and hands.
  ///
  /// Keypoints with a score below 0.25 are left out.
  public func annotated(with poses: [Pose]) throws(ImageError) -> Image {
    var canvas = try Canvas(self)
    let style = AnnotationStyle(size: canvas.size)
    for (index, pose) in poses.enumerated() {
      let color = Color.distinct(index)
      func isSure(_ point: Pose.Point) -> Bool { point.score ?? 1 >= 0.25 }
      for (first, last) in KeypointNames.usual(count: pose.points.count)?.bones ?? [] {
        let (start, end) = (pose.points[first], pose.points[last])
        guard isSure(start), isSure(end) else { continue }
        canvas.line(from: start.position, to: end.position, width: style.lineWidth, color)
      }
      // Poses with very many keypoints get small dots.
      let width = pose.points.count > 100 ? style.lineWidth : 3 * style.lineWidth
      for point in pose.points where isSure(point) {
        canvas.line(from: point.position, to: point.position, width: width, color)
      }
    }
    return canvas.image
  }
}
