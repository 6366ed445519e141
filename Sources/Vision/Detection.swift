public import OcellusImaging

/// An object found in a picture.
public struct Detection: Hashable, Sendable {
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
  /// The size of the upright picture, as detectors fill it in; `nil` when it is not known.
  public var imageSize: PixelSize?

  /// Creates a detection at `box`; the default score is the score of the first category.
  public init(
    box: BoundingBox, categories: [Category], score: Float? = nil, keypoints: [PixelPoint] = [],
    trackingID: Int? = nil, imageSize: PixelSize? = nil
  ) {
    self.box = box
    self.categories = categories
    self.score = score ?? categories.first?.score ?? 0
    self.keypoints = keypoints
    self.trackingID = trackingID
    self.imageSize = imageSize
  }

  /// The bounding box in fractions of the picture's size; `nil` when the size is not known.
  public var normalizedBox: BoundingBox? { imageSize.map { box.normalized(by: $0) } }
}
