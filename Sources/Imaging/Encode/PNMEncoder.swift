/// Writes portable anymaps: PGM for gray with 8 or 16 bits, and PPM for RGB.
struct PNMEncoder {
  func encode(_ image: Image) -> [UInt8] {
    let kind = image.format == .rgb8 ? "P6" : "P5"
    let is16Bit = image.format == .gray16
    let size = image.storedSize
    var file = Array("\(kind)\n\(size.width) \(size.height)\n\(is16Bit ? 65_535 : 255)\n".utf8)
    let plane = image.planes[0]
    file.reserveCapacity(file.count + plane.rows * plane.rowBytes)
    image.withUnsafeBytes { bytes in
      for row in 0..<plane.rows {
        let start = plane.byteOffset + row * plane.rowStride
        if is16Bit {
          for position in stride(from: start, to: start + plane.rowBytes, by: 2) {
            let sample = bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)
            file.append(UInt8(sample >> 8))
            file.append(UInt8(truncatingIfNeeded: sample))
          }
        } else {
          file += bytes[start..<start + plane.rowBytes]
        }
      }
    }
    return file
  }
}
