public import OcellusImaging

/// An object found in a picture.
public struct Detection: Hashable, Sendable, Codable {
  /// The bounding box, in pixels of the upright picture.
  ///
  /// It may extend beyond the picture, as networks estimate where a cut object ends;
  /// `BoundingBox.clipped(to:)` cuts it off there. A box of which nothing is in the picture is
  /// never reported.
  public var box: BoundingBox
  /// The possible classes, the most likely first; empty while the class is not known yet.
  public var categories: [Category]
  /// The detector's confidence that there is an object.
  public var score: Float
  /// Keypoints that the model reports, such as eyes, in pixels of the upright picture; often empty.
  public var keypoints: [PixelPoint]
  /// The identity that a tracker assigned; `nil` without a tracker or before confirmation.
  public var trackingID: Int?

  /// The names in JSON, which are the names that the command's results use.
  private enum CodingKeys: String, CodingKey {
    case box, categories, score, keypoints
    case trackingID = "tracking_id"
  }

  /// Creates a detection at `box`; the default score is the score of the first category.
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
