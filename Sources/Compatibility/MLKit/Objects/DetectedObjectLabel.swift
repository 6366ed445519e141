/// The texts of the base model's labels.
public struct DetectedObjectLabel: RawRepresentable, Hashable, Sendable {
  /// The text.
  public let rawValue: String

  /// The label with this text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Clothes and what is worn with them.
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

/// The numbers of the base model's labels.
public struct DetectedObjectLabelIndex: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// The label with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Clothes and what is worn with them.
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
