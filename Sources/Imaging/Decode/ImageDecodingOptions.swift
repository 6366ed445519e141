/// How pictures are read.
public struct ImageDecodingOptions: Hashable, Sendable {
  /// What a picture may cost.
  public var limits = ImageLimits()
  /// Whether damage that leaves something to be seen is an error rather than a warning.
  public var strict = false
  /// The size that the caller needs; `nil`: all there is.
  ///
  /// Formats that can be decoded at a fraction of their size (JPEG) are, at the smallest fraction
  /// that gives an upright picture of at least this size. It saves most of the time that large
  /// photographs take.
  public var minimumSize: PixelSize?
  /// Whether the picture is taken as it is stored, however the camera was held.
  public var ignoresOrientation = false

  /// Whole pictures, with the usual limits, as far as they can be read, and with their orientation.
  public init() {}
}
