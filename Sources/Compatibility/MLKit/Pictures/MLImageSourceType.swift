/// The type of the source of an `MLImage`.
public struct MLImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The raw value of the type.
  public let rawValue: Int

  /// Creates a type from its raw value.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A single picture.
  public static let image = Self(rawValue: 0)
  /// Pixels without further information.
  public static let pixelBuffer = Self(rawValue: 1)
  /// A video frame.
  public static let sampleBuffer = Self(rawValue: 2)
}
