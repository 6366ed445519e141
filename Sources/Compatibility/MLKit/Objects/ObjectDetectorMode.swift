/// Whether pictures belong together.
public struct ObjectDetectorMode: RawRepresentable, Hashable, Sendable {
  /// The number of the mode.
  public let rawValue: Int

  /// The mode with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Every picture is for itself: results are complete, and objects have no identities.
  public static let singleImage = Self(rawValue: 0)
  /// Pictures follow each other: results come soon, and objects have identities.
  public static let stream = Self(rawValue: 1)
}
