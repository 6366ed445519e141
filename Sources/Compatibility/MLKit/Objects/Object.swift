public import Foundation
import OcellusCompatibility

/// An object in a picture.
public final class Object: NSObject, Sendable {
  /// The bounding box, in pixels of the picture as it is stored, before it is rotated upright.
  public let frame: CGRect
  /// The labels that reach the minimum confidence, the most likely first.
  ///
  /// There are at most `maxPerObjectLabelCount` labels. The array is empty without classification,
  /// and in streams until the object is classified.
  public let labels: [ObjectLabel]
  /// The identity of the object in a stream, from 1; a detector never reuses it.
  ///
  /// `nil` in single pictures, and until the detection is confirmed.
  public let trackingID: NSNumber?

  init(_ finding: ObjectRecognition.Finding) {
    frame = finding.frame
    labels = finding.categories.map(ObjectLabel.init)
    trackingID = finding.trackingID.map(NSNumber.init(value:))
  }
}
