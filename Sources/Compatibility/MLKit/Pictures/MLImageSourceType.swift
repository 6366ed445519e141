/// What an `MLImage` was made from.
public struct MLImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The number of the type.
  public let rawValue: Int

  /// The type with this number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A single picture.
  public static let image = Self(rawValue: 0)
  /// Pixels alone.
  public static let pixelBuffer = Self(rawValue: 1)
  /// A picture of a video.
  public static let sampleBuffer = Self(rawValue: 2)
}
