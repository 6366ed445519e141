/// Pixels of a bitmap that are compressed as runs of equal ones, row by row in the order of the file.
struct BMPRunLengths {
  /// The colours of the row that was read last.
  private(set) var indices: [UInt8]
  /// What is wrong, if the end is missing.
  private(set) var damage: String?
  private var cursor: ByteCursor
  private let size: PixelSize
  /// Whether a byte holds two pixels.
  private let hasNibbles: Bool
  private var column = 0
  private var row = 0
  /// Whether nothing more comes.
  private var isOver = false
  /// Whether `indices` are all the first colour.
  private var isBlank = true

  init(_ data: UnsafeRawBufferPointer, _ header: BMPHeader) {
    cursor = ByteCursor(data, order: .littleEndian)
    size = header.size
    hasNibbles = header.compression == .runsOfNibbles
    indices = [UInt8](repeating: 0, count: size.width)
  }

  /// Reads a row, the first one or that behind the last one; returns whether the file has any of its pixels:
  /// what it leaves out has the first colour.
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

  /// What is no run: the end of a row, the end of the picture, a jump, or single pixels.
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
      // Single pixels end at an even byte.
      if bytes.count % 2 == 1 { try cursor.skip(1) }
    }
  }

  /// Stores the next pixel; what is beyond the row is lost.
  private mutating func put(_ byte: UInt8, _ pixel: Int) {
    if column < size.width {
      indices[column] = hasNibbles ? (pixel % 2 == 0 ? byte >> 4 : byte & 15) : byte
      isBlank = false
    }
    column += 1
  }
}
