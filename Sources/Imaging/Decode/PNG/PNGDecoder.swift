/// Reads PNG files of every colour type and bit depth.
///
/// 16-bit gray keeps its depth; all other samples become bytes.
struct PNGDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions) {
    self.bytes = bytes
    self.options = options
  }

  func decode() throws(ImageError) -> DecodedImage {
    let chunks = PNGChunks(bytes)
    try options.limits.check(try chunks.size())
    try chunks.checkCompleteness()
    try chunks.rejectAnimation()
    let reader = try PNGReader(bytes, options)
    let header = try reader.readHeader()
    let format = Self.format(of: header)
    let orientation = chunks.orientation
    let reduction = PictureReduction(
      of: header.size,
      atLeast: options.minimum(ofStored: header.size, orientation: orientation), format,
      inAnyOrder: header.isInterlaced)
    let work = reduction.workBytes(of: header.size, format, inAnyOrder: header.isInterlaced)
    try options.claim(
      format, reduction.size(of: header.size), orientation,
      work: work.addingSaturating(PNGReader.workBytes(of: header) + reader.textBytes(of: chunks)),
      for: header.size)
    var image =
      header.isInterlaced && reduction.factor == 1
      ? try reader.readInterlaced(header, format)
      : try rows(of: reader, header, format, reduction)
    var warnings = reader.warning.map { [$0] } ?? []
    image.orientation =
      reader.withEXIF { EXIF.orientation(in: $0, warnings: &warnings) } ?? .up
    if options.strict, let warning = warnings.first { throw ImageError(.malformed, warning) }
    var decoded = DecodedImage(
      image, format: .png, sourceSize: image.orientation.uprightSize(ofStored: header.size),
      divisor: Double(reduction.factor), warnings: warnings)
    decoded.texts = reader.texts
    return decoded
  }

  /// Reads the picture row by row, and reduces it if the caller needs a smaller one.
  private func rows(
    of reader: PNGReader, _ header: PNGReader.Header, _ format: PixelFormat,
    _ reduction: PictureReduction
  ) throws(ImageError) -> Image {
    var rows = RowCollector(
      of: header.size, format, reduction, options, inAnyOrder: header.isInterlaced)
    try reader.begin(format, size: header.size)
    if header.isInterlaced {
      for pass in PNGPass.all {
        // A pass without pixels is absent from the file.
        guard header.size.width > pass.x, header.size.height > pass.y else { continue }
        for y in stride(from: pass.y, to: header.size.height, by: pass.yStep) {
          try rows.readPixels(ofRow: y, from: pass.x, step: pass.xStep) {
            target throws(ImageError) in
            try reader.readRow(into: target)
          }
        }
      }
    } else {
      for y in 0..<header.size.height {
        try rows.readRow(y) { target throws(ImageError) in try reader.readRow(into: target) }
      }
    }
    try reader.end()
    return rows.finish()
  }

  private static func format(of header: PNGReader.Header) -> PixelFormat {
    if header.hasOpacity { return .rgba8 }
    if header.isColor { return .rgb8 }
    return header.bitDepth == 16 ? .gray16 : .gray8
  }
}

/// One of the seven passes of an interlaced picture (Adam7): the grid of its pixels.
private struct PNGPass {
  let x: Int
  let y: Int
  let xStep: Int
  let yStep: Int

  static let all = [
    PNGPass(x: 0, y: 0, xStep: 8, yStep: 8), PNGPass(x: 4, y: 0, xStep: 8, yStep: 8),
    PNGPass(x: 0, y: 4, xStep: 4, yStep: 8), PNGPass(x: 2, y: 0, xStep: 4, yStep: 4),
    PNGPass(x: 0, y: 2, xStep: 2, yStep: 4), PNGPass(x: 1, y: 0, xStep: 2, yStep: 2),
    PNGPass(x: 0, y: 1, xStep: 1, yStep: 2),
  ]
}
