import CPNG
import OcellusPlatform

/// A wrapper around libpng's reading functions, which no other code calls.
///
/// It is a class because libpng keeps the addresses of the messages and of the reader.
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
    // The caller checks the size against its own limits.
    png_set_user_limits(png, 0x7FFF_FFFF, 0x7FFF_FFFF)
    // A few kilobytes of compressed text may expand to megabytes, and a file may have many texts.
    png_set_chunk_cache_max(png, png_uint_32(textCount))
    png_set_chunk_malloc_max(png, png_alloc_size_t(longestText))
    // Chunks that describe the colour space: sample values are used as they are.
    var ignored = "gAMA\0cHRM\0sRGB\0iCCP\0sPLT\0hIST\0"
    if !options.readsTexts { ignored += "tEXt\0zTXt\0iTXt\0" }
    guard guarded_png_ignore(png, ignored, Int32(ignored.utf8.count / 5)) != 0 else {
      throw failure
    }
  }

  /// The largest size of a text, in bytes.
  private var longestText: Int { min(1 << 20, max(options.limits.maximumBytes >> 6, 1 << 10)) }

  /// The largest number of texts, plus two for libpng's way of counting.
  private var textCount: Int { min(64, max(options.limits.maximumBytes / 24 / longestText, 1) + 2) }

  /// Returns the memory for the texts of a file: libpng's copy, and strings of up to twice its
  /// size.
  func textBytes(of chunks: PNGChunks) -> Int {
    guard options.readsTexts else { return 0 }
    let maximum = textCount * longestText
    var sum = 0
    for text in chunks.texts where sum < maximum {
      // Compressed text may expand to the limit.
      sum += text.isPacked ? longestText : min(text.byteCount, longestText)
    }
    return min(sum, maximum) * 3
  }

  deinit {
    png_destroy_read_struct(&png, &info, nil)
    messages.deallocate()
  }

  /// Copies the next bytes of the file; fills with zeros after its end, where libpng stops by
  /// itself.
  private func copy(to target: UnsafeMutableRawBufferPointer) {
    let count = min(target.count, bytes.count - position)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
    if count < target.count {
      UnsafeMutableRawBufferPointer(rebasing: target[count...]).initializeMemory(
        as: UInt8.self, repeating: 0)
    }
    position += count
  }

  /// libpng's error, with the chunk at which it occurred.
  private var failure: ImageError {
    let chunk = PNGChunks(bytes).chunk(at: position)
    let chunkName = chunk.map { " (in the chunk \($0.name))" } ?? ""
    return ImageError(
      .malformed, "libpng: \(messages.pointee.errorText)\(chunkName)", byteOffset: chunk?.byteOffset
    )
  }

  /// The last warning, if there was one.
  var warning: String? { messages.pointee.warningText.map { "libpng: \($0)" } }
}

extension PNGReader {
  /// The properties of the pixels before libpng expands them.
  struct Header {
    var size: PixelSize
    var isColor: Bool
    var hasOpacity: Bool
    var bitDepth: Int
    var isInterlaced: Bool
  }

  /// Returns the memory that libpng takes: three rows of at most eight bytes per pixel, and zlib's
  /// state.
  static func workBytes(of header: Header) -> Int { (header.size.width + 64) * 8 * 3 + (1 << 18) }

  /// Reads everything before the pixels.
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

  /// Sets up the conversion of pixels to `format`.
  ///
  /// - Returns: The number of passes over all rows, which is 1 unless libpng joins interlaced
  ///   passes.
  @discardableResult
  func begin(
    _ format: PixelFormat, size: PixelSize, joiningPasses: Bool = false
  ) throws(ImageError) -> Int {
    // Expands palettes to colours, small samples to full-range bytes, and transparency to alpha.
    png_set_expand(png)
    if format == .gray16 {
      // PNG is big-endian.
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

  /// Reads the next row of the picture or of a pass; `target` has the size of a whole row.
  func readRow(into target: UnsafeMutableRawBufferPointer) throws(ImageError) {
    let target = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard guarded_png_read_row(png, target) != 0 else { throw failure }
  }

  /// Reads everything after the pixels.
  func end() throws(ImageError) {
    guard guarded_png_read_end(png, info) != 0 else { throw failure }
  }

  /// Reads the pixels of an interlaced picture at full size, and everything after them.
  ///
  /// The whole picture is in memory, because each pass adds pixels to all of it.
  func readInterlaced(_ header: Header, _ format: PixelFormat) throws(ImageError) -> Image {
    var image = Image(uninitialized: format, size: header.size)
    let plane = image.planes[0]
    let passes = try begin(format, size: header.size, joiningPasses: true)
    try image.withUnsafeMutableBytes { (rows) throws(ImageError) in
      for _ in 0..<passes {
        for row in 0..<plane.rows {
          try options.checkStop()
          let range = row * plane.rowStride..<row * plane.rowStride + plane.rowBytes
          try readRow(into: UnsafeMutableRawBufferPointer(rebasing: rows[range]))
        }
      }
    }
    try end()
    return image
  }

  /// The texts of the file; call after `end`.
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

  /// Calls `body` with the EXIF block, if the file has one; call after `end`.
  func withEXIF<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var block: png_bytep?
    var count: png_uint_32 = 0
    guard png_get_eXIf_1(png, info, &count, &block) != 0, let block else { return nil }
    return body(UnsafeRawBufferPointer(start: block, count: Int(count)))
  }
}
