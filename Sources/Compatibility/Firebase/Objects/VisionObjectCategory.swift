import OcellusCompatibility

/// The category of an object.
public enum VisionObjectCategory: Int, CaseIterable, Hashable, Sendable {
  /// None of the other categories, or not known.
  case unknown = 0
  /// Furniture and household goods.
  case homeGoods = 1
  /// Clothes and accessories.
  case fashionGoods = 2
  /// Food and drink.
  case food = 3
  /// Buildings and landscapes.
  case places = 4
  /// Plants.
  case plants = 5

  init(_ category: CoarseCategory) {
    self =
      switch category {
      case .homeGood: .homeGoods
      case .fashionGood: .fashionGoods
      case .food: .food
      case .place: .places
      case .plant: .plants
      }
  }
}
