import CPNG
import OcellusPlatform

/// libpng at work on the bytes of a file: the one place where its reading functions are called.
///
/// A class, because libpng keeps the address of the messages and the bytes.
final class PNGReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private let messages: UnsafeMutablePointer<guarded_png_messages>
  private var png: png_structp?
  private var info: png_infop?
  private let options: ImageDecodingOptions

  init(_ bytes: UnsafeRawBufferPointer, _ options: ImageDecodingOptions) throws(ImageError) {
    self.bytes = bytes
    self.options = options
    messages = .allocate(capacity: 1)
    messages.initialize(to: guarded_png_messages())
    png = png_create_read_struct(
      PNG_LIBPNG_VER_STRING, messages, guarded_png_error, guarded_png_warning)
    info = png_create_info_struct(png)
    guard png != nil, info != nil else { throw failure }
    png_set_read_fn(png, Unmanaged.passUnretained(self).toOpaque()) { png, target, count in
      guard let target, let reader = png_get_io_ptr(png) else { return }
      Unmanaged<PNGReader>.fromOpaque(reader).takeUnretainedValue()
        .copy(to: UnsafeMutableRawBufferPointer(start: target, count: count))
    }
    // The caller has checked the size against its own limits.
    png_set_user_limits(png, 0x7FFF_FFFF, 0x7FFF_FFFF)
    // A few kilobytes of compressed text may unfold to megabytes, and there may be many of them.
    png_set_chunk_cache_max(png, png_uint_32(textCount))
    png_set_chunk_malloc_max(png, png_alloc_size_t(longestText))
    // What describes the colours: the values are taken as they are.
    var ignored = "gAMA\0cHRM\0sRGB\0iCCP\0sPLT\0hIST\0"
    if !options.readsTexts { ignored += "tEXt\0zTXt\0iTXt\0" }
    guard guarded_png_ignore(png, ignored, Int32(ignored.utf8.count / 5)) != 0 else {
      throw failure
    }
  }

  /// The most bytes that a text may have.
  private var longestText: Int { min(1 << 20, max(options.limits.maximumBytes >> 6, 1 << 10)) }

  /// The most texts that are kept, and two more, as libpng counts them.
  private var textCount: Int { min(64, max(options.limits.maximumBytes / 24 / longestText, 1) + 2) }

  /// The memory for the texts of a file: libpng's, and once more as strings, where a byte may become two.
  func textBytes(of chunks: PNGChunks) -> Int {
    guard options.readsTexts else { return 0 }
    let most = textCount * longestText
    var sum = 0
    for text in chunks.texts where sum < most {
      // What is packed may unfold to as much as there may be.
      sum += text.isPacked ? longestText : min(text.byteCount, longestText)
    }
    return min(sum, most) * 3
  }

  deinit {
    png_destroy_read_struct(&png, &info, nil)
    messages.deallocate()
  }

  /// Delivers the next bytes of the file; zeros after its end, at which libpng itself stops.
  private func copy(to target: UnsafeMutableRawBufferPointer) {
    let count = min(target.count, bytes.count - position)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
    if count < target.count {
      UnsafeMutableRawBufferPointer(rebasing: target[count...]).initializeMemory(
        as: UInt8.self, repeating: 0)
    }
    position += count
  }

  /// What libpng said, and the chunk at which it said so.
  private var failure: ImageError {
    let chunk = PNGChunks(bytes).chunk(at: position)
    let place = chunk.map { " (in the chunk \($0.name))" } ?? ""
    return ImageError(
      .malformed, "libpng: \(messages.pointee.errorText)\(place)", byteOffset: chunk?.byteOffset)
  }

  /// The last warning, if there was one.
  var warning: String? { messages.pointee.warningText.map { "libpng: \($0)" } }
}

extension PNGReader {
  /// What the pixels are before they are expanded.
  struct Header {
    var size: PixelSize
    var isColor: Bool
    var hasOpacity: Bool
    var bitDepth: Int
    var isInterlaced: Bool
  }

  /// The memory that libpng takes: three rows of at most eight bytes a pixel, and what unpacks them.
  static func workBytes(of header: Header) -> Int { (header.size.width + 64) * 8 * 3 + (1 << 18) }

  /// Reads all that comes before the pixels.
  func readHeader() throws(ImageError) -> Header {
    guard guarded_png_read_info(png, info) != 0 else { throw failure }
    let colorType = Int32(png_get_color_type(png, info))
    return Header(
      size: PixelSize(
        width: Int(png_get_image_width(png, info)), height: Int(png_get_image_height(png, info))),
      isColor: colorType & PNG_COLOR_MASK_COLOR != 0,
      hasOpacity: colorType & PNG_COLOR_MASK_ALPHA != 0
        || png_get_valid(png, info, png_uint_32(PNG_INFO_tRNS)) != 0,
      bitDepth: Int(png_get_bit_depth(png, info)),
      isInterlaced: png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
  }

  /// Begins with the pixels, as the format has them.
  ///
  /// - Returns: how often all rows have to be read, if they are to be put together from passes.
  @discardableResult
  func begin(
    _ format: PixelFormat, size: PixelSize, joiningPasses: Bool = false
  ) throws(ImageError) -> Int {
    // Palettes to colours, small samples to bytes (in full range), transparent colours to opacity.
    png_set_expand(png)
    if format == .gray16 {
      // The file's order is big-endian.
      png_set_swap(png)
    } else {
      png_set_strip_16(png)
    }
    if format == .rgba8 { png_set_gray_to_rgb(png) }
    let passes = joiningPasses ? png_set_interlace_handling(png) : 1
    guard guarded_png_read_update_info(png, info) != 0 else { throw failure }
    let rowBytes = format.byteCount(of: PixelSize(width: size.width, height: 1))
    guard png_get_rowbytes(png, info) == rowBytes else {
      throw ImageError(
        .malformed, "libpng has rows of \(png_get_rowbytes(png, info)) bytes, not \(rowBytes)")
    }
    return Int(passes)
  }

  /// Reads the next row, or the next of a pass, into memory for a row of the whole picture.
  func readRow(into target: UnsafeMutableRawBufferPointer) throws(ImageError) {
    let target = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard guarded_png_read_row(png, target) != 0 else { throw failure }
  }

  /// Reads all that comes after the pixels.
  func end() throws(ImageError) {
    guard guarded_png_read_end(png, info) != 0 else { throw failure }
  }

  /// Reads the pixels of an interlaced picture, all of which is in memory until the last pass, and all that
  /// comes after them.
  func readInterlaced(_ header: Header, _ format: PixelFormat) throws(ImageError) -> Image {
    var image = Image(uninitialized: format, size: header.size)
    let plane = image.planes[0]
    let passes = try begin(format, size: header.size, joiningPasses: true)
    try image.withUnsafeMutableBytes { (rows) throws(ImageError) in
      for _ in 0..<passes {
        for row in 0..<plane.rows {
          try options.checkStop()
          let place = row * plane.rowStride..<row * plane.rowStride + plane.rowBytes
          try readRow(into: UnsafeMutableRawBufferPointer(rebasing: rows[place]))
        }
      }
    }
    try end()
    return image
  }

  /// The texts of the file, once everything is read.
  var texts: [DecodedImage.Text] {
    var first: png_textp?
    var count: Int32 = 0
    png_get_text(png, info, &first, &count)
    return UnsafeBufferPointer(start: first, count: Int(count)).map { text in
      let isUTF8 = text.compression >= PNG_ITXT_COMPRESSION_NONE
      let length = isUTF8 ? text.itxt_length : text.text_length
      let bytes = UnsafeRawBufferPointer(start: text.text, count: text.text == nil ? 0 : length)
      let latin1 = { (bytes: UnsafeRawBufferPointer) in
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      }
      let keyword = UnsafeRawBufferPointer(
        start: text.key, count: text.key.map { strlen($0) } ?? 0)
      return DecodedImage.Text(
        keyword: latin1(keyword),
        text: isUTF8 ? String(decoding: bytes, as: UTF8.self) : latin1(bytes))
    }
  }

  /// Calls `body` with the EXIF block, if the file has one, once everything is read.
  func withEXIF<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var block: png_bytep?
    var count: png_uint_32 = 0
    guard png_get_eXIf_1(png, info, &count, &block) != 0, let block else { return nil }
    return body(UnsafeRawBufferPointer(start: block, count: Int(count)))
  }
}
