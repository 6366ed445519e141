/// What the segments of a JPEG file say before its pixels begin.
struct JPEGHeader {
  /// The size of the stored picture.
  private(set) var size = PixelSize(width: 0, height: 0)
  /// How many colours a pixel has: 1 for gray, 3, or 4 for CMYK.
  private(set) var components = 0
  /// Whether the pixels come in several passes over the picture, all of which the decoder remembers.
  private(set) var hasPasses = false
  /// The EXIF block; one that is too large for a segment continues in the next.
  private(set) var exif: [UInt8] = []
  /// How many samples each colour has in a block of the picture, along rows and along columns.
  private(set) var samplings: [(across: Int, down: Int)] = []
  /// Where the compressed pixels begin.
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

  /// The code of the next marker; what lies before it is junk, which libjpeg skips too.
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
      // Its beginning says all that is read from it.
      if segment.starts(with: prefix), exif.count < 1 << 20 {
        exif += segment.dropFirst(prefix.count)
      }
    case 0xDA:
      scanOffset = cursor.position
      // Each colour in a pass of its own.
      if let scanned = segment.first, scanned < components { hasPasses = true }
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
    hasPasses = marker == 0xC2 || marker == 0xCA
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
