public import Foundation
import OcellusCompatibility
import OcellusVision

/// An object in a picture.
public final class VisionObject: NSObject, Sendable {
  /// The bounding box, in pixels of the picture as it is stored, before it is rotated upright.
  public let frame: CGRect
  /// The category of the object; `.unknown` without classification.
  public let classificationCategory: VisionObjectCategory
  /// The identity of the object in a stream, from 1; a detector never reuses it.
  ///
  /// `nil` in single pictures, and until the detection is confirmed.
  public let trackingID: NSNumber?
  /// The confidence of the category, 0…1; `nil` if the category is `.unknown`.
  public let confidence: NSNumber?

  init(_ finding: ObjectRecognition.Finding) {
    let best = finding.categories.first
    let category = best.flatMap(CoarseCategory.init)
    frame = finding.frame
    classificationCategory = category.map(VisionObjectCategory.init) ?? .unknown
    trackingID = finding.trackingID.map(NSNumber.init(value:))
    confidence = category == nil ? nil : best.map { NSNumber(value: $0.score) }
  }
}
