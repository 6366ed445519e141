public import Foundation
import OcellusVision

/// What an object may be.
public final class ObjectLabel: NSObject, Sendable {
  /// The name; empty when the model has none.
  public let text: String
  /// The number of the label among those of the model.
  public let index: Int
  /// How sure the model is, 0…1.
  public let confidence: Float

  init(_ category: OcellusVision.Category) {
    text = category.label ?? ""
    index = category.index
    confidence = category.score
  }
}
