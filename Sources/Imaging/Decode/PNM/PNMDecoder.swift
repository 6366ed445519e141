/// Reads the portable anymaps: PGM and PPM, in text (P2, P3) and in binary (P5, P6), and PAM (P7).
struct PNMDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions) {
    self.bytes = bytes
    self.options = options
  }

  func decode() throws(ImageError) -> DecodedImage {
    var text = PNMText(bytes)
    let header = try PNMHeader(&text)
    try options.limits.check(header.size)
    let needed = header.samplesInRow.multipliedSaturating(by: header.size.height)
      .multipliedSaturating(by: header.sampleBytes)
    // The last number of a text needs no white space after it.
    guard bytes.count - text.position >= (header.isText ? needed - 1 : needed) else {
      throw ImageError(
        .malformed, "the file ends before the last sample: \(needed) bytes of them should follow",
        byteOffset: text.position)
    }
    if !header.isText { try Self.rejectSecondPicture(bytes, text.position + needed) }
    let reduction = PictureReduction(
      of: header.size, atLeast: options.minimum(ofStored: header.size))
    try options.claim(
      header.format, reduction.size(of: header.size),
      work: reduction.workBytes(of: header.size, header.format), for: header.size)
    var rows = RowCollector(of: header.size, header.format, reduction, options)
    // Whether the bytes of the file can be copied without conversion.
    let isPlain = !header.isText && header.maximum == 255 && header.channels != 2
    var samples = PNMSamples(text, header)
    for row in 0..<header.size.height {
      try rows.readRow(row) { target throws(ImageError) in
        guard isPlain else { return try samples.readRow(into: target) }
        let start = text.position + row * target.count
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + target.count]))
      }
    }
    return DecodedImage(
      rows.finish(), format: .pnm, sourceSize: header.size, divisor: Double(reduction.factor))
  }

  /// Rejects a file with a second picture, because it is unknown which one is wanted.
  private static func rejectSecondPicture(
    _ bytes: UnsafeRawBufferPointer, _ position: Int
  ) throws(ImageError) {
    let rest = bytes[position...].prefix(3)
    guard rest.count == 3, rest.first == UInt8(ascii: "P"),
      "123456".utf8.contains(rest[position + 1]), rest[position + 2].isBlank
    else { return }
    throw ImageError(
      .unsupported,
      "this file has several pictures: 'pamsplit IN.ppm OUT%d.ppm' makes a file of each (Netpbm)",
      byteOffset: position)
  }
}

/// The samples of an anymap, scaled to the range of the picture's format.
private struct PNMSamples {
  private var text: PNMText
  private let header: PNMHeader
  private var bytePosition: Int
  /// The largest sample value in the picture's format.
  private let white: Int

  init(_ text: PNMText, _ header: PNMHeader) {
    self.text = text
    self.header = header
    bytePosition = text.position
    white = header.format == .gray16 ? 65_535 : 255
  }

  mutating func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageError) {
    switch (header.format, header.channels) {
    case (.gray16, _):
      for position in stride(from: 0, to: row.count, by: 2) {
        row.storeBytes(
          of: UInt16(truncatingIfNeeded: try next()), toByteOffset: position, as: UInt16.self)
      }
    case (_, 2):
      for position in stride(from: 0, to: row.count, by: 4) {
        let gray = UInt8(truncatingIfNeeded: try next())
        for color in 0..<3 { row[position + color] = gray }
        row[position + 3] = UInt8(truncatingIfNeeded: try next())
      }
    default:
      for position in 0..<row.count { row[position] = UInt8(truncatingIfNeeded: try next()) }
    }
  }

  /// Returns the next sample; in binary files, samples above the maximum are clamped.
  private mutating func next() throws(ImageError) -> Int {
    let sample = try nextStored()
    guard sample < header.maximum else { return white }
    return (sample * white * 2 + header.maximum) / (header.maximum * 2)
  }

  private mutating func nextStored() throws(ImageError) -> Int {
    if header.isText {
      let sample = try text.number()
      guard sample <= header.maximum else {
        throw ImageError(
          .malformed, "a sample is \(sample); the largest may be \(header.maximum)",
          byteOffset: text.position)
      }
      return sample
    }
    defer { bytePosition += header.sampleBytes }
    let first = Int(text.bytes[bytePosition])
    return header.sampleBytes == 1 ? first : first << 8 | Int(text.bytes[bytePosition + 1])
  }
}
