import OcellusArrays

/// Reads NumPy arrays of shape [rows, columns] or [rows, columns, channels], with 1, 3 or 4
/// channels.
///
/// Bytes become gray8, rgb8 or rgba8; 16-bit integers become gray16; floats become float planes.
struct NPYDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions) {
    self.bytes = bytes
    self.options = options
  }

  func decode() throws(ImageError) -> DecodedImage {
    let file: NPYFile
    do throws(NPYError) {
      file = try NPYFile(bytes)
    } catch {
      throw ImageError(.malformed, "the array cannot be read: \(error)")
    }
    let shape = file.shape
    guard (2...3).contains(shape.count) else { throw unsupported(file) }
    let size = PixelSize(width: shape[1], height: shape[0])
    let channels = shape.count == 3 ? shape[2] : 1
    guard let format = Self.format(of: file.element, channels: channels) else {
      throw unsupported(file)
    }
    try options.limits.check(size)
    // The array is a copy of the file's data; converting it to a picture may take one more copy.
    try options.claim(format, size, work: file.byteCount, for: size)
    let array = file.array
    if case .planarFloat = format {
      return DecodedImage(planes(of: array, channels: channels, size: size), format: .npy)
    }
    return DecodedImage(try Image(format, size: size, bytes: array.bytes), format: .npy)
  }

  private static func format(of element: NPYElement, channels: Int) -> PixelFormat? {
    switch (element, channels) {
    case (.uint8, 1): .gray8
    case (.uint8, 3): .rgb8
    case (.uint8, 4): .rgba8
    case (.uint16, 1): .gray16
    case (.float32, 1), (.float32, 3), (.float32, 4): .planarFloat(channels: channels)
    default: nil
    }
  }

  /// Deinterleaves the channels into planes.
  private func planes(of array: NPYArray, channels: Int, size: PixelSize) -> Image {
    var image = Image(uninitialized: .planarFloat(channels: channels), size: size)
    let offsets = image.planes.map(\.byteOffset)
    image.withUnsafeMutableBytes { target in
      array.bytes.withUnsafeBytes { source in
        let (from, to) = (source.bindMemory(to: Float.self), target.bindMemory(to: Float.self))
        for (channel, offset) in offsets.enumerated() {
          let start = offset / MemoryLayout<Float>.size
          for pixel in 0..<size.width * size.height {
            to[start + pixel] = from[pixel * channels + channel]
          }
        }
      }
    }
    return image
  }

  private func unsupported(_ file: NPYFile) -> ImageError {
    ImageError(
      .unsupported,
      "an array of \(file.element.descriptor), shape \(file.shape), is no picture; pictures have "
        + "rows, columns and 1, 3 or 4 channels of uint8 or float32, or 1 of uint16")
  }
}
