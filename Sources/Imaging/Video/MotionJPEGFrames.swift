/// The pictures of an MJPEG stream: JPEG files one after the other.
///
/// Every byte of the stream is looked at once for the beginnings and ends of pictures, whatever it holds.
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
    guard try findBeginning() else { return nil }
    let limit = min(options.limits.maximumBytes, Self.largestPicture)
    var boundary = JPEGBoundary()
    while true {
      if let end = boundary.end(of: buffer[start...]) { return take(until: end) }
      guard buffer.count - start <= limit else {
        let offset = bufferOffset + start
        // No other picture begins in what was looked through.
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

  /// Passes over what is no beginning of a picture, such as what cameras put between them; `false`: no
  /// other begins.
  private mutating func findBeginning() throws(ImageError) -> Bool {
    while true {
      start += JPEGBoundary.byteCount(beforeBeginningIn: buffer[start...])
      // Whether it is doubled is known when there are as many bytes as two.
      if buffer.count - start >= 4 { return true }
      guard try readOn() else { return buffer.count - start >= 2 }
    }
  }

  /// Adds what can be had at once: a camera behind a pipe may send nothing more for a while.
  ///
  /// `false` at the end.
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
