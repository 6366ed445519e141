/// The limits on the size and memory of an untrusted picture, checked before memory is allocated.
public struct ImageLimits: Hashable, Sendable {
  /// The longest side, in pixels.
  public var maximumSide = 65_535
  /// The largest number of pixels.
  public var maximumPixels = 1 << 28
  /// The most bytes of memory that reading a picture may take at any time, besides its file.
  ///
  /// This includes the picture and the decoder's working memory. The same limit holds for the size
  /// of the file. The need is known from the header of a file, before any memory is allocated. A
  /// photograph of 100 megapixels takes 300 MB; as a progressive JPEG it takes 600 to 900 MB,
  /// because the decoder keeps all coefficients until the last pass.
  public var maximumBytes = 1 << 30

  /// Creates the default limits: 65,535 pixels a side, 268 million pixels, 1 GiB.
  public init() {}

  /// Throws if a picture of this size exceeds the limits.
  package func check(_ size: PixelSize, bytesPerPixel: Int = 0) throws(ImageError) {
    guard size.width > 0, size.height > 0 else {
      throw ImageError(.malformed, "the picture has no pixels: its size is \(size)")
    }
    guard size.width <= maximumSide, size.height <= maximumSide else {
      throw ImageError(
        .tooLarge,
        "the picture is \(size); the limit for a side is \(maximumSide) pixels "
          + "(maximumSide in ImageLimits)")
    }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= maximumPixels else {
      throw ImageError(
        .tooLarge,
        "the picture is \(size); the limit is \(maximumPixels) pixels "
          + "(maximumPixels in ImageLimits)")
    }
    try check(memory: bytesPerPixel.multipliedSaturating(by: pixels), for: size)
  }

  /// Throws if reading the picture takes too much memory; `Int.max` stands for an overflow.
  func check(memory: Int, for size: PixelSize) throws(ImageError) {
    guard memory <= maximumBytes, memory < .max else {
      throw ImageError(
        .tooLarge,
        "the picture is \(size) and takes \(memory) bytes of memory; the limit is \(maximumBytes) "
          + "bytes (maximumBytes in ImageLimits)")
    }
  }
}

// Saturating arithmetic on numbers of bytes and pixels, which are not negative.
extension Int {
  /// Returns the product, or `Int.max` if it overflows.
  func multipliedSaturating(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// Returns the sum, or `Int.max` if it overflows.
  func addingSaturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
