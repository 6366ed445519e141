public import Foundation
import OcellusCompatibility
import OcellusVision

/// An object in a picture.
public final class VisionObject: NSObject, Sendable {
  /// Where it is, in pixels of the picture as it is stored, before it is turned.
  public let frame: CGRect
  /// What sort it is of; `.unknown` without classification.
  public let classificationCategory: VisionObjectCategory
  /// The identity of the object in a stream, from 1 on and never given twice by a detector; `nil` in
  /// single images, and while it is not certain that there is an object.
  public let trackingID: NSNumber?
  /// How sure the category is, 0…1; `nil` when it is `.unknown`.
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
