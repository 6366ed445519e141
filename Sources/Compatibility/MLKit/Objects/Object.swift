public import Foundation
import OcellusCompatibility

/// An object in a picture.
public final class Object: NSObject, Sendable {
  /// Where it is, in pixels of the picture as it is stored, before it is turned.
  public let frame: CGRect
  /// What it may be, the most likely first: at most `maxPerObjectLabelCount` labels with the
  /// confidence that was asked for; empty without classification, and in streams while that is not
  /// known yet.
  public let labels: [ObjectLabel]
  /// The identity of the object in a stream, from 1 on and never given twice by a detector; `nil` in
  /// single images, and while it is not certain that there is an object.
  public let trackingID: NSNumber?

  init(_ finding: ObjectRecognition.Finding) {
    frame = finding.frame
    labels = finding.categories.map(ObjectLabel.init)
    trackingID = finding.trackingID.map(NSNumber.init(value:))
  }
}
