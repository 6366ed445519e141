public import Foundation
import OcellusVision

/// What may be in a picture.
public final class VisionImageLabel: NSObject, Sendable {
  /// The name; empty when the model has none.
  public let text: String
  /// How sure the model is, 0…1.
  public let confidence: NSNumber?
  /// The number in Google's Knowledge Graph, which no model here knows: `nil`.
  public let entityID: String?

  init(_ category: OcellusVision.Category) {
    text = category.label ?? ""
    confidence = NSNumber(value: category.score)
    entityID = nil
  }
}
