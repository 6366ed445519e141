/// A decoder of run-length encoded bitmap pixels, row by row in the order of the file.
struct BMPRunLengths {
  /// The palette indices of the row that was read last.
  private(set) var indices: [UInt8]
  /// A description of the damage, if the file ends early.
  private(set) var damage: String?
  private var cursor: ByteCursor
  private let size: PixelSize
  /// Whether a byte holds two pixels of four bits.
  private let hasNibbles: Bool
  private var column = 0
  private var row = 0
  /// Whether the end of the picture or of the file was reached.
  private var isOver = false
  /// Whether the file has set no pixel of the row, so that all indices are 0.
  private var isBlank = true

  init(_ data: UnsafeRawBufferPointer, _ header: BMPHeader) {
    cursor = ByteCursor(data, order: .littleEndian)
    size = header.size
    hasNibbles = header.compression == .rle4
    indices = [UInt8](repeating: 0, count: size.width)
  }

  /// Reads the next row in order, and returns whether the file sets any of its pixels.
  ///
  /// Pixels that the file skips have index 0.
  mutating func readRow(_ wanted: Int) -> Bool {
    if !isBlank {
      indices.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
      isBlank = true
    }
    do {
      while row == wanted, !isOver { try readCode() }
    } catch {
      damage = "the file ends in row \(row)"
      isOver = true
    }
    return !isBlank
  }

  private mutating func readCode() throws(ImageError) {
    let count: UInt8 = try cursor.read()
    let value: UInt8 = try cursor.read()
    if count > 0 {
      for pixel in 0..<Int(count) { put(value, pixel) }
    } else {
      try escape(value)
    }
  }

  /// Executes an escape code: end of row, end of picture, a jump, or a run of literal pixels.
  private mutating func escape(_ code: UInt8) throws(ImageError) {
    switch code {
    case 0:
      column = 0
      row += 1
    case 1:
      isOver = true
    case 2:
      column += Int(try cursor.read(UInt8.self))
      row += Int(try cursor.read(UInt8.self))
    default:
      let bytes = try cursor.take(hasNibbles ? (Int(code) + 1) / 2 : Int(code))
      for pixel in 0..<Int(code) { put(bytes[hasNibbles ? pixel / 2 : pixel], pixel) }
      // Literal runs are padded to an even number of bytes.
      if bytes.count % 2 == 1 { try cursor.skip(1) }
    }
  }

  /// Stores the next pixel; pixels beyond the row are dropped.
  private mutating func put(_ byte: UInt8, _ pixel: Int) {
    if column < size.width {
      indices[column] = hasNibbles ? (pixel % 2 == 0 ? byte >> 4 : byte & 15) : byte
      isBlank = false
    }
    column += 1
  }
}
