extension Image {
  /// The upright picture in one of these formats, with as little lost as they allow.
  func packed(in formats: [PixelFormat]) throws(ImageError) -> Image {
    if formats.contains(format) { return upright() }
    // For each format that can become another one: which of its bytes, in which order.
    let candidates: [(format: PixelFormat, pixelBytes: Int, bytes: [Int])] =
      switch format {
      case .gray8: [(.rgb8, 1, [0, 0, 0])]
      case .gray16: [(.gray8, 2, [1]), (.rgb8, 2, [1, 1, 1])]
      case .rgba8: [(.rgb8, 4, [0, 1, 2])]
      case .bgra8: [(.rgba8, 4, [2, 1, 0, 3]), (.rgb8, 4, [2, 1, 0])]
      case .rgb8, .nv12, .i420, .planarFloat: []
      }
    guard let way = candidates.first(where: { formats.contains($0.format) }) else {
      throw ImageError(
        .unsupported, "a \(format) picture cannot be written as it is; convert it to rgb8 first")
    }
    return upright().picking(way.bytes, ofEach: way.pixelBytes, as: way.format)
  }

  /// The picture of another format whose pixels consist of these bytes of each pixel.
  private func picking(_ bytes: [Int], ofEach pixelBytes: Int, as format: PixelFormat) -> Image {
    var result = Image(uninitialized: format, size: storedSize)
    let (plane, width) = (planes[0], storedSize.width)
    result.withUnsafeMutableBytes { target in
      withUnsafeBytes { source in
        var position = 0
        for row in 0..<plane.rows {
          let start = plane.byteOffset + row * plane.rowStride
          for pixel in 0..<width {
            for byte in bytes {
              target[position] = source[start + pixel * pixelBytes + byte]
              position += 1
            }
          }
        }
      }
    }
    return result
  }
}
