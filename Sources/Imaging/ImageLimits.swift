/// What a picture from outside may cost; checked before memory is taken.
public struct ImageLimits: Hashable, Sendable {
  /// The longest side, in pixels.
  public var maximumSide = 65_535
  /// The largest number of pixels.
  public var maximumPixels = 1 << 28
  /// The most bytes of memory that reading a picture may take at any time, besides its file.
  ///
  /// That is the picture, and what the decoder works with. It is the limit for the size of the file as well.
  /// How much it would be is known from the first bytes of a file, before any of it is taken. A photograph of
  /// 100 megapixels takes 300 MB, or 600 to 900 MB as a progressive JPEG, all of which the decoder has to
  /// remember until the last pass.
  public var maximumBytes = 1 << 30

  /// The limits that hold unless others are given: 268 million pixels, 1 GiB.
  public init() {}

  /// Checks the size that a file announces.
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
    try check(memory: bytesPerPixel.multipliedOrMost(by: pixels), for: size)
  }

  /// Checks the memory that reading a picture takes; the largest number stands for more than there are numbers.
  func check(memory: Int, for size: PixelSize) throws(ImageError) {
    guard memory <= maximumBytes, memory < .max else {
      throw ImageError(
        .tooLarge,
        "the picture is \(size) and takes \(memory) bytes of memory; the limit is \(maximumBytes) "
          + "bytes (maximumBytes in ImageLimits)")
    }
  }
}

// Of numbers of bytes and pixels, which are not negative.
extension Int {
  /// The product, or the largest number where it has none.
  func multipliedOrMost(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// The sum, or the largest number where it has none.
  func addingOrMost(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
