/// The rows of an RGBA plane with premultiplied colours: Pillow's mode `RGBa`.
struct PremultipliedRows: PixelRows {
  let rows: PlaneRows
  let width: Int

  func row(_ y: Int, buffer: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    let source = rows.row(y, buffer: buffer)
    for pixel in stride(from: 0, to: width * 4, by: 4) {
      let opacity = source.load(fromByteOffset: pixel + 3, as: UInt8.self)
      for channel in pixel..<pixel + 3 {
        // Divides the product by 255, rounding to nearest, without a division.
        let product =
          UInt32(source.load(fromByteOffset: channel, as: UInt8.self)) * UInt32(opacity) + 128
        buffer.storeBytes(
          of: UInt8(truncatingIfNeeded: (product >> 8 + product) >> 8), toByteOffset: channel,
          as: UInt8.self)
      }
      buffer.storeBytes(of: opacity, toByteOffset: pixel + 3, as: UInt8.self)
    }
    return UnsafeRawPointer(buffer)
  }

  /// Converts premultiplied pixels back, rounding down as Pillow does.
  static func divide(_ row: UnsafeMutableRawPointer, width: Int) {
    let bytes = UnsafeMutableRawBufferPointer(start: row, count: width * 4)
    for pixel in stride(from: 0, to: width * 4, by: 4) {
      let opacity = Int(bytes[pixel + 3])
      guard opacity != 0, opacity != 255 else { continue }
      for channel in pixel..<pixel + 3 {
        bytes[channel] = UInt8(min(Int(bytes[channel]) * 255 / opacity, 255))
      }
    }
  }
}
