/// Reads Windows bitmaps of every depth, with palettes, run-length encoding and bit fields.
struct BMPDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions) {
    self.bytes = bytes
    self.options = options
  }

  func decode() throws(ImageError) -> DecodedImage {
    let header = try BMPHeader(bytes)
    try options.limits.check(header.size)
    let isCompressed = [.rle8, .rle4].contains(header.compression)
    let needed = isCompressed ? 0 : header.rowBytes.multipliedSaturating(by: header.size.height)
    guard header.dataOffset <= bytes.count, needed <= bytes.count - header.dataOffset else {
      throw ImageError(
        .malformed, "the file ends before its last row: \(needed) bytes of pixels should follow",
        byteOffset: min(header.dataOffset, bytes.count))
    }
    let reduction = PictureReduction(
      of: header.size, atLeast: options.minimum(ofStored: header.size))
    try options.claim(
      header.format, reduction.size(of: header.size),
      work: reduction.workBytes(of: header.size, header.format)
        .addingSaturating(isCompressed ? header.size.width : 0),
      for: header.size)
    var rows = RowCollector(of: header.size, header.format, reduction, options)
    let data = UnsafeRawBufferPointer(rebasing: bytes[header.dataOffset...])
    var warnings: [String] = []
    if isCompressed {
      if let damage = try readRuns(data, header, &rows) {
        let message = "\(damage): the rest of the picture has the first colour"
        guard !options.strict else { throw ImageError(.malformed, message) }
        warnings.append(message)
      }
    } else {
      try readRows(data, header, &rows)
    }
    return DecodedImage(
      rows.finish(), format: .bmp, sourceSize: header.size, divisor: Double(reduction.factor),
      warnings: warnings)
  }

  private func readRows(
    _ data: UnsafeRawBufferPointer, _ header: BMPHeader, _ rows: inout RowCollector
  ) throws(ImageError) {
    let pixels = BMPPixels(header, bitsPerPixel: header.bitsPerPixel)
    for row in 0..<header.size.height {
      let stored = header.storedRow(row)
      let source = data[stored * header.rowBytes..<(stored + 1) * header.rowBytes]
      try rows.readRow(row) { target throws(ImageError) in
        pixels.convert(UnsafeRawBufferPointer(rebasing: source), to: target)
      }
    }
  }

  /// Reads the rows of a run-length encoded picture in the order of the file.
  ///
  /// Returns a description of the damage if the file ends early.
  private func readRuns(
    _ data: UnsafeRawBufferPointer, _ header: BMPHeader, _ rows: inout RowCollector
  ) throws(ImageError) -> String? {
    let pixels = BMPPixels(header, bitsPerPixel: 8)
    var runs = BMPRunLengths(data, header)
    var wasEmpty = false
    for stored in 0..<header.size.height {
      let isEmpty = !runs.readRow(stored)
      defer { wasEmpty = isEmpty }
      // A short file may encode a huge blank picture, so repeated blank rows are not converted
      // again.
      if isEmpty, wasEmpty, rows.repeatRow(header.storedRow(stored)) { continue }
      try rows.readRow(header.storedRow(stored)) { target throws(ImageError) in
        runs.indices.withUnsafeBytes { pixels.convert($0, to: target) }
      }
    }
    return runs.damage
  }
}

/// The conversion of a bitmap's pixels to a row of the picture.
private struct BMPPixels {
  private let palette: [(UInt8, UInt8, UInt8)]
  private let fields: [BitField]
  private let bitsPerPixel: Int
  private let format: PixelFormat

  /// One channel among the bits of a pixel.
  private struct BitField {
    let shift: Int
    let maximum: UInt32

    init(mask: UInt32) {
      shift = mask == 0 ? 0 : mask.trailingZeroBitCount
      maximum = mask >> UInt32(shift)
    }

    /// Returns the channel scaled to 0…255, rounded down as in Pillow; 0 if the mask is empty.
    func value(in pixel: UInt32) -> UInt8 {
      maximum == 0
        ? 0
        : UInt8(
          truncatingIfNeeded: UInt64(pixel >> UInt32(shift) & maximum) * 255 / UInt64(maximum))
    }
  }

  init(_ header: BMPHeader, bitsPerPixel: Int) {
    palette = header.palette
    fields = header.masks.map { BitField(mask: $0) }
    self.bitsPerPixel = bitsPerPixel
    format = header.format
  }

  func convert(_ source: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer) {
    switch bitsPerPixel {
    case 24: convertBlueFirst(source, to: row)
    case 16, 32: convertFields(source, to: row)
    default: convertIndices(source, to: row)
    }
  }

  private func convertBlueFirst(
    _ source: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer
  ) {
    for position in stride(from: 0, to: row.count, by: 3) {
      row[position] = source[position + 2]
      row[position + 1] = source[position + 1]
      row[position + 2] = source[position]
    }
  }

  private func convertFields(
    _ source: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer
  ) {
    let channels = format == .rgba8 ? 4 : 3
    for pixel in 0..<row.count / channels {
      let value: UInt32 =
        bitsPerPixel == 16
        ? UInt32(
          UInt16(littleEndian: source.loadUnaligned(fromByteOffset: 2 * pixel, as: UInt16.self)))
        : UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4 * pixel, as: UInt32.self))
      for channel in 0..<channels {
        row[pixel * channels + channel] = fields[channel].value(in: value)
      }
    }
  }

  private func convertIndices(
    _ source: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer
  ) {
    let channels = format == .gray8 ? 1 : 3
    let mask = UInt8(truncatingIfNeeded: 1 << bitsPerPixel - 1)
    for pixel in 0..<row.count / channels {
      let bit = pixel * bitsPerPixel
      // The first pixel is in the most significant bits.
      let index = source[bit / 8] >> UInt8(8 - bitsPerPixel - bit % 8) & mask
      let color = palette[Int(index)]
      row[pixel * channels] = color.0
      guard channels == 3 else { continue }
      row[pixel * 3 + 1] = color.1
      row[pixel * 3 + 2] = color.2
    }
  }
}
