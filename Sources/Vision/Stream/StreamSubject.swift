package import OcellusImaging

/// The one object of a stream that is followed where only the most prominent one is wanted.
///
/// It is chosen once, and kept until it is gone: until the tracker has given it up, or expects it
/// outside of the picture. What is more prominent in the meantime does not count.
package struct StreamSubject: Sendable {
  /// Its identity; `nil` while nothing has one.
  package private(set) var id: Int?

  package init() {}

  /// The subject among the objects of a picture; `nil`: it is not seen, or there is none.
  ///
  /// Where nothing has an identity yet, it is the most prominent object of this picture alone.
  package mutating func choose(
    from detections: [Detection], expected: [ExpectedTrack], in size: PixelSize
  ) -> Detection? {
    if let id, !isHere(id, detections, expected, in: size) { self.id = nil }
    if id == nil {
      id = Self.mostProminent(detections.filter { $0.trackingID != nil }, in: size)?.trackingID
    }
    guard let id else { return Self.mostProminent(detections, in: size) }
    return detections.first { $0.trackingID == id }
  }

  private func isHere(
    _ id: Int, _ detections: [Detection], _ expected: [ExpectedTrack], in size: PixelSize
  ) -> Bool {
    if detections.contains(where: { $0.trackingID == id }) { return true }
    guard let place = expected.first(where: { $0.id == id })?.box else { return false }
    return place.isStill(in: size)
  }

  private static func mostProminent(_ detections: [Detection], in size: PixelSize) -> Detection? {
    func prominence(_ detection: Detection) -> Double {
      detection.box.prominence(score: detection.score, in: size)
    }
    return detections.max { prominence($0) < prominence($1) }
  }
}

extension BoundingBox {
  /// Whether an object that is expected here has not left the picture: a quarter of it should be seen, or of as much
  /// as the picture can show of one that is larger.
  func isStill(in size: PixelSize) -> Bool {
    let showable = min(width, Double(size.width)) * min(height, Double(size.height))
    return clipped(to: size).area >= 0.25 * showable
  }
}
