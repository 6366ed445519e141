import OcellusArrays

/// Writes pictures as NumPy arrays of shape [rows, columns], or [rows, columns, channels].
struct NPYEncoder {
  func encode(_ image: Image) -> [UInt8] {
    let element: NPYElement =
      switch image.format {
      case .gray16: .uint16
      case .planarFloat: .float32
      default: .uint8
      }
    let channels =
      image.planes.count > 1
      ? image.planes.count : image.planes[0].rowBytes / (image.storedSize.width * element.size)
    let shape =
      [image.storedSize.height, image.storedSize.width] + (channels > 1 ? [channels] : [])
    return NPYArray(element: element, shape: shape, bytes: pixels(of: image, element)).file
  }

  /// Returns the samples with interleaved channels, row by row.
  private func pixels(of image: Image, _ element: NPYElement) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(image.planes.reduce(0) { $0 + $1.rows * $1.rowBytes })
    // A single plane is interleaved already.
    let step = image.planes.count > 1 ? element.size : image.planes[0].rowBytes
    image.withUnsafeBytes { bytes in
      for row in 0..<image.planes[0].rows {
        for start in stride(from: 0, to: image.planes[0].rowBytes, by: step) {
          for plane in image.planes {
            let offset = plane.byteOffset + row * plane.rowStride + start
            pixels += bytes[offset..<offset + step]
          }
        }
      }
    }
    return pixels
  }
}
