package import OcellusVision

/// The coarse categories of the base model in the guides, with the texts of its labels.
package enum CoarseCategory: String, CaseIterable, Sendable {
  case fashionGood = "Fashion good"
  case homeGood = "Home good"
  case food = "Food"
  case place = "Place"
  case plant = "Plant"

  /// The base model's label for an object that fits no category.
  static let unknownLabel = "Unknown"

  /// Creates the category that a label denotes; `nil` for other labels.
  package init?(_ category: OcellusVision.Category) {
    guard let label = category.label else { return nil }
    self.init(rawValue: label)
  }
}
