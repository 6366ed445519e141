/// The relation between successive pictures.
public struct ObjectDetectorMode: RawRepresentable, Hashable, Sendable {
  /// The raw value of the mode.
  public let rawValue: Int

  /// Creates a mode from its raw value.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Independent pictures: the results are complete, and objects have no identities.
  public static let singleImage = Self(rawValue: 0)
  /// Successive frames: the results have low latency, and objects have identities.
  public static let stream = Self(rawValue: 1)
}
