public import OcellusImaging

extension Image {
  /// Returns the upright picture with the objects' boxes, names, scores, identities and keypoints.
  ///
  /// The colour depends on the identity, or else on the class.
  public func annotated(with detections: [Detection]) throws(ImageError) -> Image {
    var canvas = try Canvas(self)
    let style = AnnotationStyle(size: canvas.size)
    // The best detections are drawn last, on top.
    for detection in detections.reversed() { canvas.annotate(detection, style) }
    return canvas.image
  }
}

/// The width of lines and the size of text, in proportion to the picture.
struct AnnotationStyle {
  let lineWidth: Double
  let textScale: Int

  init(size: PixelSize) {
    let side = Double(min(size.width, size.height))
    lineWidth = max(side / 200, 1.5)
    textScale = max(Int((side / 320).rounded()), 1)
  }
}

extension Canvas {
  mutating func annotate(_ detection: Detection, _ style: AnnotationStyle) {
    let color = Color.distinct(detection.trackingID ?? detection.categories.first?.index ?? 0)
    stroke(detection.box, width: style.lineWidth, color)
    for point in detection.keypoints {
      line(from: point, to: point, width: 2.5 * style.lineWidth, color)
    }
    label(detection.annotation, at: detection.box, color, style)
  }

  /// Writes text on a filled background, above the box or else inside its upper edge.
  private mutating func label(
    _ text: String, at box: BoundingBox, _ color: Color, _ style: AnnotationStyle
  ) {
    guard !text.isEmpty else { return }
    let margin = Double(style.textScale)
    let textSize = Self.textSize(text, scale: style.textScale)
    let width = Double(textSize.width) + 4 * margin
    let height = Double(textSize.height) + 4 * margin
    let left = min(max(box.left - style.lineWidth / 2, 0), max(Double(size.width) - width, 0))
    let above = box.top - style.lineWidth / 2 - height
    let top = above >= 0 ? above : max(box.top, 0)
    fill(BoundingBox(x: left, y: top, width: width, height: height), color)
    self.text(
      text, x: left + 2 * margin, y: top + 2 * margin, scale: style.textScale, color.contrasting)
  }
}

extension Detection {
  /// The text for a detection: the identity, the name and the score, if they are known.
  fileprivate var annotation: String {
    var words: [String] = []
    if let trackingID { words.append("#\(trackingID)") }
    if let category = categories.first {
      words.append(category.label ?? "class \(category.index)")
      words.append("\(Int((100 * category.score).rounded()))%")
    }
    return words.joined(separator: " ")
  }
}
