public import OcellusImaging

extension Image {
  /// Returns the upright picture with the objects' boxes, names, scores, identities and keypoints.
  ///
  /// The colour depends on the identity, or else on the class. Names are at the edges of their boxes,
  /// where they cover no other name, if there is such a place.
  public func annotated(with detections: [Detection]) throws(ImageError) -> Image {
    var canvas = try Canvas(self)
    let style = AnnotationStyle(size: canvas.size)
    // The best detections are drawn last, on top, and choose first where their names are.
    for detection in detections.reversed() { canvas.outline(detection, style) }
    var places = LabelPlaces(in: canvas.size)
    for detection in detections { canvas.label(detection, style, at: &places) }
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
  fileprivate mutating func outline(_ detection: Detection, _ style: AnnotationStyle) {
    stroke(detection.box, width: style.lineWidth, detection.color)
    for point in detection.keypoints {
      line(from: point, to: point, width: 2.5 * style.lineWidth, detection.color)
    }
  }

  /// Writes the name on a filled background.
  fileprivate mutating func label(
    _ detection: Detection, _ style: AnnotationStyle, at places: inout LabelPlaces
  ) {
    let text = detection.annotation
    guard !text.isEmpty else { return }
    let margin = Double(2 * style.textScale)
    let textSize = Self.textSize(text, scale: style.textScale)
    let place = places.take(
      width: Double(textSize.width) + 2 * margin, height: Double(textSize.height) + 2 * margin,
      at: detection.box, lineWidth: style.lineWidth)
    fill(place, detection.color)
    self.text(
      text, x: place.left + margin, y: place.top + margin, scale: style.textScale,
      detection.color.contrasting)
  }
}

extension Detection {
  /// The colour of the identity, or else of the class.
  fileprivate var color: Color { .distinct(trackingID ?? categories.first?.index ?? 0) }

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
