/// Writes Windows bitmaps of 24 bits per pixel, or 32 bits for pictures with alpha.
struct BMPEncoder {
  private static let fileHeaderSize = 14
  /// The size of the version 4 header, which has a mask for alpha.
  private static let opacityHeaderSize = 108
  private static let headerSize = 40

  func encode(_ image: Image) throws(ImageError) -> [UInt8] {
    let channels = image.format == .rgba8 ? 4 : 3
    let size = image.storedSize
    let rowBytes = (size.width * channels + 3) / 4 * 4
    let headerSize = channels == 4 ? Self.opacityHeaderSize : Self.headerSize
    let dataOffset = Self.fileHeaderSize + headerSize
    guard let fileSize = UInt32(exactly: dataOffset + rowBytes * size.height) else {
      throw ImageError(.unsupported, "a bitmap of \(size) would have more than 4 GB; write a PNG")
    }
    var file: [UInt8] = []
    file.reserveCapacity(Int(fileSize))
    file += "BM".utf8
    file.append(littleEndian: fileSize, 0, UInt32(dataOffset))
    file.append(littleEndian: UInt32(headerSize), UInt32(size.width), UInt32(size.height))
    // One plane, the bits per pixel, and the compression: none (0) or bit masks (3).
    file.append(littleEndian: UInt32(channels * 8) << 16 | 1, channels == 4 ? 3 : 0)
    // The size of the pixels, 72 dots per inch, and no palette.
    file.append(littleEndian: fileSize - UInt32(dataOffset), 2835, 2835, 0, 0)
    if channels == 4 {
      file.append(littleEndian: 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000)
      // The tag `sRGB` in little-endian order, which needs no further parameters.
      file.append(littleEndian: 0x7352_4742)
      file += [UInt8](repeating: 0, count: dataOffset - file.count)
    }
    appendRows(of: image, channels: channels, rowBytes: rowBytes, to: &file)
    return file
  }

  /// Appends the rows from bottom to top as BGR or BGRA, each padded to a multiple of four bytes.
  private func appendRows(of image: Image, channels: Int, rowBytes: Int, to file: inout [UInt8]) {
    let plane = image.planes[0]
    image.withUnsafeBytes { bytes in
      for row in (0..<plane.rows).reversed() {
        let start = plane.byteOffset + row * plane.rowStride
        for pixel in stride(from: start, to: start + plane.rowBytes, by: channels) {
          for color in stride(from: 2, through: 0, by: -1) { file.append(bytes[pixel + color]) }
          if channels == 4 { file.append(bytes[pixel + 3]) }
        }
        file += [UInt8](repeating: 0, count: rowBytes - plane.rowBytes)
      }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian numbers: UInt32...) {
    for number in numbers {
      Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
  }
}
