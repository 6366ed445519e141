/// What a picture from outside may cost; checked before memory is taken.
public struct ImageLimits: Hashable, Sendable {
  /// The longest side, in pixels.
  public var maximumSide = 65_535
  /// The largest number of pixels.
  public var maximumPixels = 1 << 28
  /// The largest number of bytes of a decoded picture, and of any part of a file that is read whole.
  public var maximumBytes = 1 << 30

  /// The limits that hold unless others are given: 268 million pixels, 1 GiB.
  public init() {}

  /// Checks the size that a file announces.
  package func check(_ size: PixelSize, bytesPerPixel: Int = 1) throws(ImageError) {
    guard size.width > 0, size.height > 0 else {
      throw ImageError(.malformed, "the picture has no pixels: its size is \(size)")
    }
    guard size.width <= maximumSide, size.height <= maximumSide else {
      throw ImageError(
        .tooLarge, "the picture is \(size); the limit for a side is \(maximumSide) pixels")
    }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= maximumPixels, pixels <= maximumBytes / max(bytesPerPixel, 1) else {
      throw ImageError(
        .tooLarge,
        "the picture is \(size); the limit is \(maximumPixels) pixels and \(maximumBytes) bytes")
    }
  }
}
