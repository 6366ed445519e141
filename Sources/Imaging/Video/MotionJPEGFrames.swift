/// The frames of an MJPEG stream, which is a sequence of JPEG files.
///
/// The search for the start and end of frames examines every byte once, whatever the stream
/// contains.
struct MotionJPEGFrames: FrameSource {
  private let stream: ByteStream
  private let options: ImageDecodingOptions
  /// The bytes read so far; those before `start` are consumed.
  private var buffer: [UInt8] = []
  private var start = 0
  /// The offset of the buffer in the stream.
  private var bufferOffset = 0

  let frameRate: FrameRate? = nil

  /// The largest frame in bytes; without a limit, a stream without end markers would be buffered
  /// whole.
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

  /// Returns the bytes of the next frame; the last one may be truncated.
  private mutating func nextFile() throws(ImageError) -> ArraySlice<UInt8>? {
    guard try findBeginning() else { return nil }
    let limit = min(options.limits.maximumBytes, Self.largestPicture)
    var boundary = JPEGBoundary()
    while true {
      if let end = boundary.end(of: buffer[start...]) { return take(until: end) }
      guard buffer.count - start <= limit else {
        let offset = bufferOffset + start
        // The examined bytes contain no start of another frame.
        start = buffer.count
        throw ImageError(
          .tooLarge, "a picture of the stream has more than \(limit) bytes", byteOffset: offset)
      }
      guard try readOn() else { return take(until: buffer.count) }
    }
  }

  private mutating func take(until end: Int) -> ArraySlice<UInt8> {
    defer { start = end }
    return buffer[start..<end]
  }

  /// Skips to the next start of a frame, past any data between frames.
  ///
  /// Returns `false` if no other frame starts.
  private mutating func findBeginning() throws(ImageError) -> Bool {
    while true {
      start += JPEGBoundary.byteCount(beforeBeginningIn: buffer[start...])
      // Four bytes are needed to recognize a doubled start marker.
      if buffer.count - start >= 4 { return true }
      guard try readOn() else { return buffer.count - start >= 2 }
    }
  }

  /// Appends the bytes that are available, without waiting for more from a slow camera behind a
  /// pipe.
  ///
  /// Returns `false` at the end.
  private mutating func readOn() throws(ImageError) -> Bool {
    bufferOffset += start
    buffer.removeFirst(start)
    start = 0
    let bytes = try stream.peekSome()
    buffer += bytes
    stream.skip(bytes.count)
    return !bytes.isEmpty
  }
}
