import OcellusPlatform

/// Writes a Y4M video, frame by frame, to a file or to the standard output.
///
/// The file is complete after `close` has returned.
public final class Y4MWriter {
  /// The chroma subsampling of the video.
  public enum Sampling: Hashable, Sendable {
    /// One chroma sample per 2×2 pixels (C420jpeg).
    case half
    /// One chroma sample per pixel (C444).
    case full
  }

  private let path: String
  private let file: OpenFile
  private let size: PixelSize
  private let sampling: Sampling
  private let encoding: YCbCrEncoding

  /// Creates the video at `path`, replacing an existing file; `-` is the standard output.
  public init(
    path: String, size: PixelSize, frameRate: FrameRate = .usual, sampling: Sampling = .half,
    encoding: YCbCrEncoding = YCbCrEncoding(matrix: .bt601, range: .video)
  ) throws(ImageError) {
    self.path = path
    self.size = size
    self.sampling = sampling
    self.encoding = encoding
    file = try ImageError.translating { () throws(FileError) in
      path == "-" ? .standardOutput : try OpenFile(writing: path)
    }
    let header = Y4MHeader.line(
      size: size, frameRate: frameRate, sampling: sampling == .half ? .half420 : .full444,
      range: encoding.range)
    try write(Array(header.utf8))
  }

  /// Writes a picture, rotated upright; its size must be that of the video.
  public func write(_ image: Image) throws(ImageError) {
    guard image.size == size else {
      throw ImageError(
        .mismatched, "the picture is \(image.size), and the video \(size); resize it first",
        path: path)
    }
    var frame = Array("FRAME\n".utf8)
    switch sampling {
    case .half: append(planesOf: try image.upright().converted(to: .i420(encoding)), to: &frame)
    case .full: append(colorsOf: try image.upright().converted(to: .rgb8), to: &frame)
    }
    try write(frame)
  }

  /// Finishes the video.
  public func close() throws(ImageError) {
    try ImageError.translating { () throws(FileError) in try file.close() }
  }

  private func write(_ bytes: [UInt8]) throws(ImageError) {
    try ImageError.translating { () throws(FileError) in try file.write(bytes) }
  }

  private func append(planesOf image: Image, to frame: inout [UInt8]) {
    image.withUnsafeBytes { bytes in
      for plane in image.planes {
        for row in 0..<plane.rows {
          let start = plane.byteOffset + row * plane.rowStride
          frame += bytes[start..<start + plane.rowBytes]
        }
      }
    }
  }

  private func append(colorsOf image: Image, to frame: inout [UInt8]) {
    let coefficients = YCbCrCoefficients(encoding)
    let pixels = size.width * size.height
    let start = frame.count
    frame += [UInt8](repeating: 0, count: 3 * pixels)
    let plane = image.planes[0]
    image.withUnsafeBytes { bytes in
      for row in 0..<size.height {
        for column in 0..<size.width {
          let source = plane.byteOffset + row * plane.rowStride + 3 * column
          let color = coefficients.yCbCr(
            red: bytes[source], green: bytes[source + 1], blue: bytes[source + 2])
          let target = start + row * size.width + column
          (frame[target], frame[target + pixels], frame[target + 2 * pixels]) = color
        }
      }
    }
  }
}
