/// The headers and the palette of a Windows bitmap.
struct BMPHeader {
  enum Compression: UInt32 {
    case none = 0
    case rle8 = 1
    case rle4 = 2
    case bitFields = 3
    case alphaBitFields = 6
  }

  private(set) var size = PixelSize(width: 0, height: 0)
  /// Whether the first row in the file is the top row.
  private(set) var isTopDown = false
  private(set) var bitsPerPixel = 0
  private(set) var compression = Compression.none
  /// The bit masks of red, green, blue and alpha in pixels of 16 and 32 bits.
  private(set) var masks: [UInt32] = [0, 0, 0, 0]
  /// The palette for pixels of up to 8 bits, as red, green and blue.
  private(set) var palette: [(UInt8, UInt8, UInt8)] = []
  /// The offset of the pixels in the file.
  private(set) var dataOffset = 0

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var cursor = ByteCursor(bytes, order: .littleEndian, at: 10)
    dataOffset = Int(try cursor.read(UInt32.self))
    let headerSize: UInt32 = try cursor.read()
    let colorCount: Int
    switch headerSize {
    case 12:
      try readCore(&cursor)
      colorCount = 0
    case 40, 52, 56, 64, 108, 124:
      colorCount = try readInfo(&cursor)
    default:
      throw ImageError(
        .malformed, "a bitmap header of \(headerSize) bytes is not known", byteOffset: 14)
    }
    try checkKind()
    try readMasks(bytes, headerSize: Int(headerSize))
    if bitsPerPixel <= 8 {
      try readPalette(
        bytes, headerSize: Int(headerSize), count: colorCount == 0 ? 1 << bitsPerPixel : colorCount)
    }
  }

  /// Reads the header of OS/2 and Windows 2.
  private mutating func readCore(_ cursor: inout ByteCursor) throws(ImageError) {
    size.width = Int(try cursor.read(UInt16.self))
    size.height = Int(try cursor.read(UInt16.self))
    try cursor.skip(2)
    bitsPerPixel = Int(try cursor.read(UInt16.self))
  }

  /// Reads the header of Windows 3 and later; returns the number of palette colours, 0 for all.
  private mutating func readInfo(_ cursor: inout ByteCursor) throws(ImageError) -> Int {
    size.width = Int(try cursor.read(Int32.self))
    let height = Int(try cursor.read(Int32.self))
    isTopDown = height < 0
    size.height = abs(height)
    try cursor.skip(2)
    bitsPerPixel = Int(try cursor.read(UInt16.self))
    let method: UInt32 = try cursor.read()
    guard let compression = Compression(rawValue: method) else {
      throw ImageError(
        .unsupported, "bitmaps compressed by method \(method) are not read", byteOffset: 30)
    }
    self.compression = compression
    try cursor.skip(12)
    return Int(try cursor.read(UInt32.self))
  }

  private func checkKind() throws(ImageError) {
    let depths: [Int] =
      switch compression {
      case .none: [1, 4, 8, 16, 24, 32]
      case .rle8: [8]
      case .rle4: [4]
      case .bitFields, .alphaBitFields: [16, 32]
      }
    guard depths.contains(bitsPerPixel) else {
      throw ImageError(
        .malformed, "a bitmap of \(bitsPerPixel) bits a pixel, compression \(compression.rawValue)",
        byteOffset: 28)
    }
  }

  private mutating func readMasks(
    _ bytes: UnsafeRawBufferPointer, headerSize: Int
  ) throws(ImageError) {
    switch (compression, bitsPerPixel) {
    case (.none, 16): masks = [0x7C00, 0x03E0, 0x001F, 0]
    case (.none, 32): masks = [0xFF_0000, 0xFF00, 0xFF, 0]
    case (.bitFields, _), (.alphaBitFields, _):
      var cursor = ByteCursor(bytes, order: .littleEndian, at: 14 + 40)
      let hasOpacity = headerSize >= 56 || compression == .alphaBitFields
      for index in 0..<(hasOpacity ? 4 : 3) { masks[index] = try cursor.read() }
      if bitsPerPixel == 16 { masks = masks.map { $0 & 0xFFFF } }
    default: break
    }
  }

  private mutating func readPalette(
    _ bytes: UnsafeRawBufferPointer, headerSize: Int, count: Int
  ) throws(ImageError) {
    let isCore = headerSize == 12
    var cursor = ByteCursor(bytes, order: .littleEndian, at: 14 + headerSize)
    // The palette may be shorter than the depth allows: it ends where the pixels begin.
    let end = dataOffset > cursor.position ? dataOffset : bytes.count
    let availableEntries = (end - cursor.position) / (isCore ? 3 : 4)
    for _ in 0..<min(count, 1 << bitsPerPixel, availableEntries) {
      let (blue, green, red): (UInt8, UInt8, UInt8) = (
        try cursor.read(), try cursor.read(), try cursor.read()
      )
      if !isCore { try cursor.skip(1) }
      palette.append((red, green, blue))
    }
    // Indices beyond the palette are black.
    palette += Array(repeating: (0, 0, 0), count: 256 - palette.count)
  }

  /// The size of an uncompressed row in bytes, padded to a multiple of four.
  var rowBytes: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

  /// Converts a row of the picture to a row of the file, or the reverse.
  func storedRow(_ row: Int) -> Int { isTopDown ? row : size.height - 1 - row }

  var format: PixelFormat {
    if bitsPerPixel <= 8 {
      return palette.allSatisfy { $0 == $1 && $1 == $2 } ? .gray8 : .rgb8
    }
    return masks[3] == 0 ? .rgb8 : .rgba8
  }
}
