/// A label of the base model.
public struct DetectedObjectLabel: RawRepresentable, Hashable, Sendable {
  /// The text of the label.
  public let rawValue: String

  /// Creates a label from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Clothes and accessories.
  public static let fashionGood = Self(rawValue: "Fashion good")
  /// Furniture and household goods.
  public static let homeGood = Self(rawValue: "Home good")
  /// Food and drink.
  public static let food = Self(rawValue: "Food")
  /// Buildings and landscapes.
  public static let place = Self(rawValue: "Place")
  /// Plants.
  public static let plant = Self(rawValue: "Plant")
}

/// The index of a label of the base model.
public struct DetectedObjectLabelIndex: RawRepresentable, Hashable, Sendable {
  /// The index.
  public let rawValue: Int

  /// Creates a label index from a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Clothes and accessories.
  public static let fashionGood = Self(rawValue: 0)
  /// Furniture and household goods.
  public static let homeGood = Self(rawValue: 1)
  /// Food and drink.
  public static let food = Self(rawValue: 2)
  /// Buildings and landscapes.
  public static let place = Self(rawValue: 3)
  /// Plants.
  public static let plant = Self(rawValue: 4)
}
