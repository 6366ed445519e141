import OcellusPlatform

/// The pictures of an MJPEG stream: JPEG files one after the other.
struct MotionJPEGFrames: FrameSource {
  private let stream: ByteStream
  private let options: ImageDecodingOptions
  /// What was read, of which the bytes before `start` are used up.
  private var buffer: [UInt8] = []
  private var start = 0
  /// Where in the stream the buffer begins.
  private var bufferOffset = 0

  let frameRate: FrameRate? = nil

  /// Larger pictures are refused: a stream in which none ends would be read as one.
  private static let largestPicture = 1 << 25

  init(_ stream: ByteStream, options: ImageDecodingOptions) {
    self.stream = stream
    self.options = options
  }

  mutating func nextImage() throws(ImageError) -> Image? {
    guard let file = try nextFile() else { return nil }
    let offset = bufferOffset + file.startIndex
    do {
      return try Image(decoding: Array(file), options: options)
    } catch {
      var failure = error
      failure.byteOffset = offset + (error.byteOffset ?? 0)
      throw failure
    }
  }

  /// The bytes of the next picture; the last one may lack its end.
  private mutating func nextFile() throws(ImageError) -> ArraySlice<UInt8>? {
    skipToPicture()
    var end = JPEGBoundary.end(of: buffer[start...])
    while end == nil {
      let limit = min(options.limits.maximumBytes, Self.largestPicture)
      guard buffer.count - start <= limit else {
        // What follows is looked through for the next picture.
        start += 2
        throw ImageError(
          .tooLarge, "a picture of the stream has more than \(limit) bytes",
          byteOffset: bufferOffset + start)
      }
      // As much again, so that all of it is looked through twice and not many times.
      let wanted = min(max(buffer.count - start, 1 << 16), limit + 1 - (buffer.count - start))
      guard try append(wanted) else { break }
      skipToPicture()
      end = JPEGBoundary.end(of: buffer[start...])
    }
    guard start < buffer.count else { return nil }
    let file = buffer[start..<(end ?? buffer.count)]
    start = file.endIndex
    return file
  }

  /// Passes over what is no beginning of a picture, such as what cameras put between them.
  private mutating func skipToPicture() {
    start += buffer[start...].withUnsafeBytes { bytes in
      var position = 0
      while let next = UnsafeRawBufferPointer(rebasing: bytes[position...]).firstByte(0xFF) {
        position += next
        if position + 1 == bytes.count || bytes[position + 1] == 0xD8 { return position }
        position += 1
      }
      return bytes.count
    }
  }

  /// Reads on; `false` at the end.
  private mutating func append(_ count: Int) throws(ImageError) -> Bool {
    bufferOffset += start
    buffer.removeFirst(start)
    start = 0
    let (stream, size) = (stream, buffer.count)
    buffer += [UInt8](repeating: 0, count: count)
    let result = buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(ImageError) in
        try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[size...]))
      }
    }
    buffer.removeLast(count - ((try? result.get()) ?? 0))
    return try result.get() > 0
  }
}

/// Where JPEG files end.
enum JPEGBoundary {
  /// Where the file ends that begins here; `nil`: its end is not here yet.
  ///
  /// Segments are stepped over by their lengths: pictures in them (thumbnails) have ends of their own.
  static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { end(of: $0) }.map { bytes.startIndex + $0 }
  }

  private static func end(of bytes: UnsafeRawBufferPointer) -> Int? {
    var position = 2
    while position + 1 < bytes.count {
      guard bytes[position] == 0xFF else {
        // Compressed pixels, up to the next marker.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
        guard let next = rest.firstByte(0xFF) else { return nil }
        position += next
        continue
      }
      switch bytes[position + 1] {
      case 0xD9: return position + 2
      case 0xFF: position += 1
      // A stuffed zero among pixels, a restart, and what has no length.
      case 0x00, 0x01, 0xD0...0xD8: position += 2
      default:
        guard position + 3 < bytes.count else { return nil }
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        position += 2 + max(length, 2)
      }
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Where the first byte of this value is.
  fileprivate func firstByte(_ value: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(value), count) else {
      return nil
    }
    return UnsafeRawPointer(found) - start
  }
}
