import CTurboJPEG
import OcellusPlatform

/// Reads JPEG files with libjpeg-turbo's TurboJPEG API, which returns errors as values.
struct JPEGDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions) {
    self.bytes = bytes
    self.options = options
  }

  func decode() throws(ImageError) -> DecodedImage {
    let header = try JPEGHeader(bytes)
    var warnings: [String] = []
    let orientation =
      header.exif.isEmpty
      ? .up : header.exif.withUnsafeBytes { EXIF.orientation(in: $0, warnings: &warnings) }
    if options.strict, let warning = warnings.first { throw ImageError(.malformed, warning) }
    let scale = JPEGScale(
      of: header.size,
      atLeast: options.minimum(ofStored: header.size, orientation: orientation))
    let size = scale.size(of: header.size)
    try checkCost(of: header, at: size, orientation)
    var image = try pixels(header, size: size, warnings: &warnings)
    image.orientation = orientation
    return DecodedImage(
      image, format: .jpeg, sourceSize: orientation.uprightSize(ofStored: header.size),
      divisor: scale.divisor, warnings: warnings)
  }

  private func pixels(
    _ header: JPEGHeader, size: PixelSize, warnings: inout [String]
  ) throws(ImageError) -> Image {
    switch header.components {
    case 1: return try decompress(.gray8, TJPF_GRAY, size: size, warnings: &warnings)
    case 3: return try decompress(.rgb8, TJPF_RGB, size: size, warnings: &warnings)
    default:
      // The RGBA format only serves as memory for the four CMYK bytes of a pixel.
      let inks = try decompress(.rgba8, TJPF_CMYK, size: size, warnings: &warnings)
      return Image(invertedInks: inks)
    }
  }

  private func decompress(
    _ format: PixelFormat, _ turboFormat: TJPF, size: PixelSize, warnings: inout [String]
  ) throws(ImageError) -> Image {
    guard let decompressor = tjInitDecompress() else {
      throw ImageError(.tooLarge, "libjpeg-turbo: \(String(cString: tjGetErrorStr2(nil)))")
    }
    defer { tjDestroy(decompressor) }
    var image = Image(uninitialized: format, size: size)
    let plane = image.planes[0]
    var flags = TJFLAG_LIMITSCANS
    if options.strict { flags |= TJFLAG_STOPONWARNING }
    let status = image.withUnsafeMutableBytes { target in
      tjDecompress2(
        decompressor, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count),
        target.bindMemory(to: UInt8.self).baseAddress, Int32(size.width), Int32(plane.rowStride),
        Int32(size.height), turboFormat.rawValue, flags)
    }
    guard status != 0 else { return image }
    let message = "libjpeg-turbo: \(String(cString: tjGetErrorStr2(decompressor)))"
    let isWarning = tjGetErrorCode(decompressor) == Int32(TJERR_WARNING.rawValue)
    guard isWarning, !options.strict else {
      throw ImageError(message.contains("nsupported") ? .unsupported : .malformed, message)
    }
    warnings.append(message)
    return image
  }

  /// Checks that the decoder's memory and time stay within the limits.
  ///
  /// A file with several scans keeps all its coefficients in memory, and each scan updates them.
  private func checkCost(
    of header: JPEGHeader, at size: PixelSize, _ orientation: Orientation
  ) throws(ImageError) {
    try options.limits.check(header.size)
    // A CMYK picture exists in addition to the RGB picture.
    let inks = header.components == 4 ? PixelFormat.rgba8.byteCount(of: size) : 0
    try options.claim(
      header.components == 1 ? .gray8 : .rgb8, size, orientation,
      work: JPEGMemory(header).byteCount + inks, for: header.size)
    guard header.hasMultipleScans else { return }
    let allowed =
      options.limits.maximumPixels.multipliedSaturating(by: 16)
      / (header.size.width * header.size.height)
    guard scanCount(from: header.scanOffset) <= allowed else {
      throw ImageError(
        .tooLarge, "the picture is drawn in more passes than its size of \(header.size) allows",
        byteOffset: header.scanOffset)
    }
  }

  /// Counts the scans by their start markers.
  private func scanCount(from offset: Int) -> Int {
    var count = 1
    var rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
    while let start = rest.baseAddress, let found = memchr(start, 0xFF, rest.count) {
      let position = UnsafeRawPointer(found) - start
      guard position + 1 < rest.count else { break }
      if rest[position + 1] == 0xDA { count += 1 }
      rest = UnsafeRawBufferPointer(rebasing: rest[(position + 1)...])
    }
    return count
  }
}

extension Image {
  /// Converts CMYK to RGB.
  ///
  /// The values are inverted, 255 for no ink, because Adobe's programs store them so and readers
  /// rely on it.
  fileprivate init(invertedInks inks: Image) {
    self.init(uninitialized: .rgb8, size: inks.storedSize)
    let pixels = inks.storedSize.width * inks.storedSize.height
    withUnsafeMutableBytes { target in
      inks.withUnsafeBytes { source in
        for pixel in 0..<pixels {
          let paper = UInt32(source[4 * pixel + 3])
          for color in 0..<3 {
            let ink = UInt32(255 - source[4 * pixel + color])
            // Divided by 255 and rounded, as in Pillow.
            let product = ink * paper + 128
            let absorbed = (product + product >> 8) >> 8
            target[3 * pixel + color] = UInt8(truncatingIfNeeded: paper - absorbed)
          }
        }
      }
    }
  }
}
