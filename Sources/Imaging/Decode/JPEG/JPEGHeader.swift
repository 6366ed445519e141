/// The segments of a JPEG file before its first scan.
struct JPEGHeader {
  /// The size of the stored picture.
  private(set) var size = PixelSize(width: 0, height: 0)
  /// The number of components: 1 for gray, 3 for colour, 4 for CMYK.
  private(set) var components = 0
  /// Whether the file has several scans, for which the decoder keeps all coefficients.
  private(set) var hasMultipleScans = false
  /// The EXIF block, which may extend over several segments.
  private(set) var exif: [UInt8] = []
  /// The horizontal and vertical sampling factors of each component.
  private(set) var samplings: [(across: Int, down: Int)] = []
  /// The offset of the compressed data of the first scan.
  private(set) var scanOffset = 0

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var cursor = ByteCursor(bytes, order: .bigEndian, at: 2)
    while scanOffset == 0 {
      let marker = try Self.nextMarker(&cursor)
      switch marker {
      case 0x01, 0xD0...0xD8: continue
      case 0xD9:
        throw ImageError(
          .malformed, "the file ends (EOI) before its pixels", byteOffset: cursor.position)
      default: try readSegment(marker, &cursor)
      }
    }
    guard components > 0 else {
      throw ImageError(
        .malformed, "pixels (SOS) come before the frame (SOF)", byteOffset: scanOffset)
    }
  }

  /// Returns the code of the next marker; skips junk before it, as libjpeg does.
  private static func nextMarker(_ cursor: inout ByteCursor) throws(ImageError) -> UInt8 {
    while true {
      while try cursor.read(UInt8.self) != 0xFF {}
      var code: UInt8 = 0xFF
      while code == 0xFF { code = try cursor.read() }
      if code != 0 { return code }
    }
  }

  private mutating func readSegment(_ marker: UInt8, _ cursor: inout ByteCursor) throws(ImageError)
  {
    let start = cursor.position
    let length: UInt16 = try cursor.read()
    guard length >= 2 else {
      throw ImageError(.malformed, "a segment of \(length) bytes", byteOffset: start)
    }
    let segment = try cursor.take(Int(length) - 2)
    switch marker {
    case 0xC0...0xC2, 0xC9, 0xCA:
      try readFrame(segment, marker, at: start)
    case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:
      throw ImageError(
        .unsupported, "lossless and hierarchical JPEG (SOF\(marker - 0xC0)) is not read",
        byteOffset: start)
    case 0xE1:
      let prefix = "Exif\0\0".utf8
      // The orientation is near the beginning of the block, so later segments may be dropped.
      if segment.starts(with: prefix), exif.count < 1 << 20 {
        exif += segment.dropFirst(prefix.count)
      }
    case 0xDA:
      scanOffset = cursor.position
      // A scan with a subset of the components: the components are not interleaved.
      if let scanned = segment.first, scanned < components { hasMultipleScans = true }
    default: break
    }
  }

  private mutating func readFrame(
    _ segment: UnsafeRawBufferPointer, _ marker: UInt8, at offset: Int
  ) throws(ImageError) {
    guard components == 0 else {
      throw ImageError(.malformed, "the file has two frames", byteOffset: offset)
    }
    var cursor = ByteCursor(segment, order: .bigEndian)
    guard segment.count >= 6 else {
      throw ImageError(.malformed, "a frame of \(segment.count) bytes", byteOffset: offset)
    }
    let precision: UInt8 = try cursor.read()
    let height: UInt16 = try cursor.read()
    let width: UInt16 = try cursor.read()
    components = Int(try cursor.read(UInt8.self))
    size = PixelSize(width: Int(width), height: Int(height))
    hasMultipleScans = marker == 0xC2 || marker == 0xCA
    guard precision == 8 else {
      throw ImageError(
        .unsupported, "JPEG of \(precision) bits a sample is not read; only 8", byteOffset: offset)
    }
    guard [1, 3, 4].contains(components) else {
      throw ImageError(
        .unsupported, "JPEG of \(components) colours is not read; only 1, 3 and 4",
        byteOffset: offset)
    }
    while cursor.remaining >= 3 {
      try cursor.skip(1)
      let sampling: UInt8 = try cursor.read()
      try cursor.skip(1)
      samplings.append((max(Int(sampling >> 4), 1), max(Int(sampling & 15), 1)))
    }
  }
}
