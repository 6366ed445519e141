import OcellusImaging

/// Pictures that no program writes: large ones in small files, and every way to store small ones.
enum CraftedPictures {
  /// Returns a run-length bitmap with `data`; pixels without data have the first colour, red.
  static func runs(_ size: PixelSize, data: [UInt8] = [0, 1]) -> [UInt8] {
    bitmap(size, bits: 8, compression: 1, palette: [0, 0, 255, 0, 0, 255, 0, 0], data: data)
  }

  /// Returns a bitmap with a Windows 3 header.
  static func bitmap(
    _ size: PixelSize, bits: Int, compression: Int = 0, isTopDown: Bool = false,
    palette: [UInt8] = [], data: [UInt8]
  ) -> [UInt8] {
    let offset = 54 + palette.count
    let height = isTopDown ? -size.height : size.height
    let numbers = [
      offset + data.count, 0, offset, 40, size.width, height, bits << 16 | 1, compression,
      data.count, 0, 0, palette.count / 4, 0,
    ]
    var file = Array("BM".utf8)
    for number in numbers {
      file += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return file + palette + data
  }

  /// Returns a PNG file of rows, each after its filter byte, or of zeros only.
  static func png(
    _ size: PixelSize, depth: Int, colorType: Int, isInterlaced: Bool = false,
    rows: [UInt8]? = nil, zeros: Int = 0
  ) -> [UInt8] {
    var header = number(size.width) + number(size.height)
    header += [UInt8(depth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    let pixels = rows.map { Deflated.stored($0) } ?? Deflated.zeros(zeros)
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      number(data.count) + Array(name.utf8) + data + number(0)
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for part in [chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", [])] { file += part }
    return file.withRightChecksums
  }

  /// Returns the rows of the seven passes over a picture.
  static func passes(_ size: PixelSize, pixelBytes: Int, _ bytes: [UInt8]) -> [UInt8] {
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var rows: [UInt8] = []
    for (x, y, xStep, yStep) in passes where x < size.width {
      for row in stride(from: y, to: size.height, by: yStep) {
        rows.append(0)
        for column in stride(from: x, to: size.width, by: xStep) {
          let start = (row * size.width + column) * pixelBytes
          rows += bytes[start..<start + pixelBytes]
        }
      }
    }
    return rows
  }

  /// Returns the rows of a picture.
  static func rows(_ size: PixelSize, pixelBytes: Int, _ bytes: [UInt8]) -> [UInt8] {
    let rowBytes = size.width * pixelBytes
    return (0..<size.height).flatMap { row -> [UInt8] in
      let start = row * rowBytes
      return [0] + bytes[start..<start + rowBytes]
    }
  }

  /// Returns the byte count of an interlaced picture of zeros: pixels and filter bytes.
  static func interlacedCount(_ size: PixelSize, pixelBytes: Int) -> Int {
    let rows = [(0, 8), (0, 8), (4, 8), (0, 4), (2, 4), (0, 2), (1, 2)]
    return size.width * size.height * pixelBytes
      + rows.reduce(0) { $0 + (size.height - $1.0 + $1.1 - 1) / $1.1 }
  }

  /// Returns a JPEG file that claims to be larger than its few blocks; a progressive one has one
  /// scan of the blocks' means.
  static func jpeg(
    _ size: PixelSize, _ format: PixelFormat = .rgb8, isProgressive: Bool = false
  ) throws -> [UInt8] {
    let image = Image.ramp(format, width: 16, height: 16)
    var file = try image.encoded(as: .jpeg())
    var position = 2
    while position + 4 < file.count {
      let code = file[position + 1]
      let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
      if code == 0xC0 {
        if isProgressive { file[position + 1] = 0xC2 }
        let sides = [size.height >> 8, size.height & 255, size.width >> 8, size.width & 255]
        file.replaceSubrange(position + 5..<position + 9, with: sides.map { UInt8($0) })
      }
      if code == 0xDA {
        if isProgressive { file[position + 2 + length - 2] = 0 }
        break
      }
      position += 2 + length
    }
    return file
  }

  private static func number(_ number: Int) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

/// Data in zlib's format.
private enum Deflated {
  /// Returns the bytes in stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start...].prefix(65_535)
      let isLast = start + block.count == bytes.count
      let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
      result += [isLast ? 1 : 0, low, high, ~low, ~high] + block
    }
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return result + [b >> 8, b & 255, a >> 8, a & 255].map { UInt8($0) }
  }

  /// Returns zeros, 158 in each byte: copies of 258 bytes from one byte before.
  static func zeros(_ count: Int) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var (pending, used) = (0, 0)
    func flush() {
      while used >= 8 {
        result.append(UInt8(pending & 255))
        (pending, used) = (pending >> 8, used - 8)
      }
    }
    /// Appends a Huffman code, which begins with its most significant bit.
    func code(_ bits: Int, _ length: Int) {
      for bit in 0..<length { pending |= (bits >> (length - 1 - bit) & 1) << (used + bit) }
      used += length
      flush()
    }
    // The last block, with the fixed codes.
    code(0b110, 3)
    code(0b0011_0000, 8)
    let copies = (count - 1) / 258
    for _ in 0..<copies { code(0b1100_0101_00000, 13) }
    for _ in 0..<(count - 1) % 258 { code(0b0011_0000, 8) }
    code(0, 7)
    code(0, 7)
    let sum = count % 65_521
    return result + [sum >> 8, sum & 255, 0, 1].map { UInt8($0) }
  }
}
