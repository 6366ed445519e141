/// Pixels of a bitmap that are compressed as runs of equal ones.
struct BMPRunLengths {
  /// The colour of every pixel, in the order of the file's rows.
  private(set) var indices: [UInt8]
  private var cursor: ByteCursor
  private let size: PixelSize
  /// Whether a byte holds two pixels.
  private let hasNibbles: Bool
  private var column = 0
  private var row = 0

  init(_ data: UnsafeRawBufferPointer, _ header: BMPHeader) {
    cursor = ByteCursor(data, order: .littleEndian)
    size = header.size
    hasNibbles = header.compression == .runsOfNibbles
    indices = [UInt8](repeating: 0, count: size.width * size.height)
  }

  /// Decodes all there is; returns what is wrong if the end is missing.
  mutating func decode() -> String? {
    do {
      while row < size.height {
        let count: UInt8 = try cursor.read()
        let value: UInt8 = try cursor.read()
        if count > 0 {
          for pixel in 0..<Int(count) { put(value, pixel) }
        } else if try !escape(value) {
          return nil
        }
      }
      return nil
    } catch {
      return "the file ends in row \(row)"
    }
  }

  /// What is no run: the end of a row, the end of the picture (`false`), a jump, or single pixels.
  private mutating func escape(_ code: UInt8) throws(ImageError) -> Bool {
    switch code {
    case 0:
      column = 0
      row += 1
    case 1:
      return false
    case 2:
      column += Int(try cursor.read(UInt8.self))
      row += Int(try cursor.read(UInt8.self))
    default:
      let bytes = try cursor.take(hasNibbles ? (Int(code) + 1) / 2 : Int(code))
      for pixel in 0..<Int(code) { put(bytes[hasNibbles ? pixel / 2 : pixel], pixel) }
      // Single pixels end at an even byte.
      if bytes.count % 2 == 1 { try cursor.skip(1) }
    }
    return true
  }

  /// Stores the next pixel; what is beyond the row is lost.
  private mutating func put(_ byte: UInt8, _ pixel: Int) {
    if column < size.width {
      let value = hasNibbles ? (pixel % 2 == 0 ? byte >> 4 : byte & 15) : byte
      indices[row * size.width + column] = value
    }
    column += 1
  }
}
