package import OcellusVision

/// The categories of the guides' base model, by the names that it has for them.
package enum CoarseCategory: String, CaseIterable, Sendable {
  case fashionGood = "Fashion good"
  case homeGood = "Home good"
  case food = "Food"
  case place = "Place"
  case plant = "Plant"

  /// What the base model calls an object that fits no category.
  static let labelOfAllOthers = "Unknown"

  /// The category that a label names; `nil` for all others.
  package init?(_ category: OcellusVision.Category) {
    guard let label = category.label else { return nil }
    self.init(rawValue: label)
  }
}
