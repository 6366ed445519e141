package import OcellusImaging

/// The single object of a stream that is reported when only the most prominent one is wanted.
///
/// It is kept once chosen, even if another object becomes more prominent, until the tracker drops
/// it or predicts it outside the picture.
package struct StreamSubject: Sendable {
  /// The subject's identity; `nil` while no object has one.
  package private(set) var id: Int?

  package init() {}

  /// Returns the subject among the objects of a picture; `nil` when it is not visible.
  ///
  /// While no object has an identity, the result is the most prominent object of this picture.
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
    guard let expectedBox = expected.first(where: { $0.id == id })?.box else { return false }
    return expectedBox.isStill(in: size)
  }

  private static func mostProminent(_ detections: [Detection], in size: PixelSize) -> Detection? {
    func prominence(_ detection: Detection) -> Double {
      detection.box.prominence(score: detection.score, in: size)
    }
    return detections.max { prominence($0) < prominence($1) }
  }
}

extension BoundingBox {
  /// Whether an object at this predicted box is still in the picture.
  ///
  /// At least a quarter of the box must be inside, or of the largest part that the picture can
  /// show.
  func isStill(in size: PixelSize) -> Bool {
    let showable = min(width, Double(size.width)) * min(height, Double(size.height))
    return clipped(to: size).area >= 0.25 * showable
  }
}
