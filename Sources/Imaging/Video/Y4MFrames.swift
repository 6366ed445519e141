/// The frames of a Y4M video, as uncompressed YCbCr.
struct Y4MFrames: FrameSource {
  private let stream: ByteStream
  private let header: Y4MHeader
  private let encoding: YCbCrEncoding
  /// Whether the start of the next frame has to be searched for, because it was not where expected.
  private var isLost = false

  private static let mark = Array("FRAME".utf8)
  private static let maximumLine = 1 << 12

  init(_ stream: ByteStream, options: VideoReader.Options) throws(ImageError) {
    self.stream = stream
    header = try Y4MHeader(line: try stream.readLine(maximum: Self.maximumLine) ?? "")
    encoding = YCbCrEncoding(matrix: options.matrix, range: header.range)
    try options.decoding.limits.check(header.size, bytesPerPixel: 6)
  }

  var frameRate: FrameRate? { header.frameRate }

  mutating func nextImage() throws(ImageError) -> Image? {
    if isLost {
      guard try findFrame() else { return nil }
      isLost = false
    }
    let beginning = try stream.peek(Self.mark.count + 1)
    if beginning.isEmpty { return nil }
    guard Self.isMark(beginning) else {
      isLost = true
      throw ImageError(
        .malformed, "a frame should begin here, with FRAME", byteOffset: stream.position)
    }
    // The frame's parameters, about interlacing, are ignored.
    _ = try stream.readLine(maximum: Self.maximumLine)
    switch header.sampling {
    case .mono: return try readPlanes(of: .gray8)
    case .half420: return try readPlanes(of: .i420(encoding))
    case .half422: return try readColors(subsampling: 2)
    case .full444: return try readColors(subsampling: 1)
    }
  }

  private func readPlanes(of format: PixelFormat) throws(ImageError) -> Image {
    var image = Image(uninitialized: format, size: header.size)
    try image.withUnsafeMutableBytes { target throws(ImageError) in try fill(target) }
    return image
  }

  /// Reads a frame with more chroma samples than `nv12` and `i420` have, and converts it to RGB.
  private func readColors(subsampling: Int) throws(ImageError) -> Image {
    let (width, height) = (header.size.width, header.size.height)
    let colorWidth = (width + subsampling - 1) / subsampling
    var planes = [UInt8](repeating: 0, count: (width + 2 * colorWidth) * height)
    let result = planes.withUnsafeMutableBytes { target in
      Result { () throws(ImageError) in try fill(target) }
    }
    try result.get()
    let coefficients = YCbCrCoefficients(encoding)
    var image = Image(uninitialized: .rgb8, size: header.size)
    image.withUnsafeMutableBytes { pixels in
      for row in 0..<height {
        let colors = width * height + row * colorWidth
        for column in 0..<width {
          let cb = colors + column / subsampling
          let color = coefficients.rgb(
            luma: planes[row * width + column], cb: planes[cb], cr: planes[cb + colorWidth * height]
          )
          let pixel = (row * width + column) * 3
          (pixels[pixel], pixels[pixel + 1], pixels[pixel + 2]) = color
        }
      }
    }
    return image
  }

  private func fill(_ target: UnsafeMutableRawBufferPointer) throws(ImageError) {
    let start = stream.position
    let count = try stream.read(into: target)
    guard count == target.count else {
      throw ImageError(
        .malformed, "the video ends after \(count) of the frame's \(target.count) bytes",
        byteOffset: start)
    }
  }

  private static func isMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: mark) && bytes.count > mark.count
      && bytes[bytes.startIndex + mark.count].isBlank
  }

  /// Skips to the next frame; returns `false` if there is none.
  private func findFrame() throws(ImageError) -> Bool {
    while true {
      let bytes = try stream.peek(1 << 12)
      guard bytes.count > Self.mark.count else { return false }
      var position = bytes.startIndex
      while let found = bytes[position...].firstIndex(of: Self.mark[0]) {
        guard bytes.endIndex - found > Self.mark.count else { break }
        if Self.isMark(bytes[found...]) {
          stream.skip(found - bytes.startIndex)
          return true
        }
        position = found + 1
      }
      // The last bytes may be the beginning of the mark.
      stream.skip(bytes.count - Self.mark.count)
    }
  }
}
