/// Reads PNG files: every colour type and bit depth, into bytes, except that gray of 16 bits stays so.
struct PNGDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions) {
    self.bytes = bytes
    self.options = options
  }

  func decode() throws(ImageError) -> DecodedImage {
    let chunks = PNGChunks(bytes)
    // Eight bytes a pixel: what libpng needs for a row of 16-bit samples.
    try options.limits.check(try chunks.size(), bytesPerPixel: 4)
    try chunks.checkCompleteness()
    try chunks.checkThatNothingMoves()
    let reader = try PNGReader(bytes, limits: options.limits)
    let header = try reader.readHeader()
    let format = Self.format(of: header)
    var image = Image(uninitialized: format, size: header.size)
    let plane = image.planes[0]
    try image.withUnsafeMutableBytes { (rows) throws(ImageError) in
      try reader.readPixels(format, into: rows, plane: plane)
    }
    var warnings = reader.warning.map { [$0] } ?? []
    image.orientation =
      reader.withEXIF { EXIF.orientation(in: $0, warnings: &warnings) } ?? .up
    if options.strict, let warning = warnings.first { throw ImageError(.malformed, warning) }
    var decoded = DecodedImage(image, format: .png, warnings: warnings)
    decoded.texts = reader.texts
    return decoded
  }

  private static func format(of header: PNGReader.Header) -> PixelFormat {
    if header.hasOpacity { return .rgba8 }
    if header.isColor { return .rgb8 }
    return header.bitDepth == 16 ? .gray16 : .gray8
  }
}
