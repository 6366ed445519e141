import CPNG

/// Writes PNG files with libpng.
struct PNGEncoder {
  let compressionLevel: Int

  func encode(_ image: Image) throws(ImageError) -> [UInt8] {
    let writer = try PNGWriter(compressionLevel: compressionLevel)
    let plane = image.planes[0]
    let layout: (colorType: Int32, bitDepth: Int32) =
      switch image.format {
      case .gray8: (PNG_COLOR_TYPE_GRAY, 8)
      case .gray16: (PNG_COLOR_TYPE_GRAY, 16)
      case .rgb8: (PNG_COLOR_TYPE_RGB, 8)
      default: (PNG_COLOR_TYPE_RGB_ALPHA, 8)
      }
    try writer.begin(image.storedSize, colorType: layout.colorType, bitDepth: layout.bitDepth)
    try image.withUnsafeBytes { (bytes) throws(ImageError) in
      for row in 0..<plane.rows {
        let start = plane.byteOffset + row * plane.rowStride
        try writer.write(row: UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
    }
    return try writer.end()
  }
}

/// A wrapper around libpng's writing functions, which no other code calls.
///
/// It is a class because libpng keeps the addresses of the messages and of the writer.
private final class PNGWriter {
  private var file: [UInt8] = []
  private let messages: UnsafeMutablePointer<guarded_png_messages>
  private var png: png_structp?
  private var info: png_infop?

  init(compressionLevel: Int) throws(ImageError) {
    messages = .allocate(capacity: 1)
    messages.initialize(to: guarded_png_messages())
    png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, messages, guarded_png_error, guarded_png_warning)
    info = png_create_info_struct(png)
    guard png != nil, info != nil else { throw failure }
    png_set_compression_level(png, Int32(min(max(compressionLevel, 0), 9)))
    // At fast levels, trying every filter on every row would take longer than the compression; the
    // difference from the row above compresses nearly as well.
    if compressionLevel <= 3 { png_set_filter(png, 0, PNG_FILTER_UP) }
    png_set_write_fn(
      png, Unmanaged.passUnretained(self).toOpaque(),
      { png, bytes, count in
        guard let writer = png_get_io_ptr(png) else { return }
        Unmanaged<PNGWriter>.fromOpaque(writer).takeUnretainedValue()
          .file += UnsafeBufferPointer(start: bytes, count: count)
      }, nil)
  }

  deinit {
    png_destroy_write_struct(&png, &info)
    messages.deallocate()
  }

  func begin(_ size: PixelSize, colorType: Int32, bitDepth: Int32) throws(ImageError) {
    let (width, height) = (png_uint_32(size.width), png_uint_32(size.height))
    guard guarded_png_write_info(png, info, width, height, bitDepth, colorType) != 0 else {
      throw failure
    }
    // PNG is big-endian.
    if bitDepth == 16 { png_set_swap(png) }
  }

  func write(row: UnsafeRawBufferPointer) throws(ImageError) {
    guard guarded_png_write_row(png, row.bindMemory(to: UInt8.self).baseAddress) != 0 else {
      throw failure
    }
  }

  func end() throws(ImageError) -> [UInt8] {
    guard guarded_png_write_end(png, info) != 0 else { throw failure }
    return file
  }

  private var failure: ImageError {
    ImageError(.mismatched, "libpng: \(messages.pointee.errorText)")
  }
}
