public import Foundation
import OcellusVision

/// A label of an object.
public final class ObjectLabel: NSObject, Sendable {
  /// The name of the label; empty if the model has none.
  public let text: String
  /// The index of the label among the model's labels.
  public let index: Int
  /// The confidence of the model, 0…1.
  public let confidence: Float

  init(_ category: OcellusVision.Category) {
    text = category.label ?? ""
    index = category.index
    confidence = category.score
  }
}
