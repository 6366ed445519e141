public import OcellusImaging

extension Image {
  /// The upright picture with its pixels tinted by their classes, but for those of the background.
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

  /// The upright picture with a dot at every point, and lines between the joints of bodies and hands.
  ///
  /// What the model is not sure of is left out.
  public func annotated(with poses: [Pose]) throws(ImageError) -> Image {
    var canvas = try Canvas(self)
    let style = AnnotationStyle(size: canvas.size)
    for (index, pose) in poses.enumerated() {
      let color = Color.distinct(index)
      func isSure(_ point: Pose.Point) -> Bool { point.score ?? 1 >= 0.25 }
      for (first, last) in PointNames.usual(count: pose.points.count)?.bones ?? [] {
        let (start, end) = (pose.points[first], pose.points[last])
        guard isSure(start), isSure(end) else { continue }
        canvas.line(from: start.position, to: end.position, width: style.lineWidth, color)
      }
      // Hundreds of points are small ones.
      let width = pose.points.count > 100 ? style.lineWidth : 3 * style.lineWidth
      for point in pose.points where isSure(point) {
        canvas.line(from: point.position, to: point.position, width: width, color)
      }
    }
    return canvas.image
  }
}
