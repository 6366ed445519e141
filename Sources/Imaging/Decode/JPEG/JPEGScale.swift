/// The scale, in eighths, at which a JPEG picture is decoded.
struct JPEGScale {
  private let eighths: Int

  /// Chooses the smallest scale that gives at least the size `minimum`.
  ///
  /// Scales of 5/8 to 7/8 are not used: on a photograph of 12 megapixels they were measured to be
  /// slower than full size, because libjpeg-turbo has no vector code for their transforms.
  init(of size: PixelSize, atLeast minimum: PixelSize?) {
    guard let minimum else {
      eighths = 8
      return
    }
    let fractions = [1, 2, 3, 4]
    eighths =
      fractions.first {
        let scaled = Self.scaled(size, eighths: $0)
        return scaled.width >= minimum.width && scaled.height >= minimum.height
      } ?? 8
  }

  /// The number of full-size pixels per decoded pixel, in each direction.
  var divisor: Double { 8 / Double(eighths) }

  /// Returns the size at this scale, rounded up.
  func size(of size: PixelSize) -> PixelSize { Self.scaled(size, eighths: eighths) }

  private static func scaled(_ size: PixelSize, eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
  }
}
