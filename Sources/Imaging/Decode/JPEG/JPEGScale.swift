/// The fraction of its size at which a JPEG picture is decoded.
struct JPEGScale {
  private let eighths: Int

  /// The smallest fraction that gives at least the size `minimum`.
  ///
  /// Measured on a photograph of 12 megapixels, 5/8 to 7/8 take longer than the whole picture: their
  /// transforms have no vector code.
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

  /// The pixels of the whole picture for one of the picture at this scale, in each direction.
  var divisor: Double { 8 / Double(eighths) }

  /// The size at this scale; parts of a pixel at the edges count whole.
  func size(of size: PixelSize) -> PixelSize { Self.scaled(size, eighths: eighths) }

  private static func scaled(_ size: PixelSize, eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
  }
}
