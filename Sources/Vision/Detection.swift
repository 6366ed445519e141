public import OcellusImaging

/// An object found in a picture.
public struct Detection: Hashable, Sendable, Codable {
  /// Where it is, in pixels of the upright picture.
  public var box: BoundingBox
  /// What it may be, the most likely first; empty while that is not known yet.
  public var categories: [Category]
  /// How sure the detector is that there is an object.
  public var score: Float
  /// Places in the object that the model points at, such as eyes, in the same pixels; often none.
  public var keypoints: [PixelPoint]
  /// The identity that a tracker gave it; `nil` in single pictures, and before it is confirmed.
  public var trackingID: Int?

  /// The names in JSON, which are those of the program's results.
  private enum CodingKeys: String, CodingKey {
    case box, categories, score, keypoints
    case trackingID = "tracking_id"
  }

  /// An object at `box`; the score is that of the first category unless given.
  public init(
    box: BoundingBox, categories: [Category], score: Float? = nil, keypoints: [PixelPoint] = [],
    trackingID: Int? = nil
  ) {
    self.box = box
    self.categories = categories
    self.score = score ?? categories.first?.score ?? 0
    self.keypoints = keypoints
    self.trackingID = trackingID
  }
}
