public import Foundation
import OcellusVision

/// A label of a picture.
public final class VisionImageLabel: NSObject, Sendable {
  /// The name of the label; empty if the model has none.
  public let text: String
  /// The confidence of the model, 0…1.
  public let confidence: NSNumber?
  /// The identifier in Google's Knowledge Graph; always `nil`, because no model here provides it.
  public let entityID: String?

  init(_ category: OcellusVision.Category) {
    text = category.label ?? ""
    confidence = NSNumber(value: category.score)
    entityID = nil
  }
}
