import OcellusPlatform

/// Reads the pictures of a video one after the other.
///
/// A video is a Y4M or MJPEG file or stream, a folder of pictures, or a numbered sequence of them.
public final class VideoReader {
  /// How videos are read.
  public struct Options: Hashable, Sendable {
    /// How pictures are read that are files of their own.
    public var decoding = ImageDecodingOptions()
    /// The pictures in a second; `nil`: what the video says, or 25.
    public var frameRate: FrameRate?
    /// What the colours of a video mean, which Y4M files do not say.
    public var matrix = YCbCrEncoding.Matrix.bt601
    /// How many frames in a row may be broken; behind them the video is given up.
    ///
    /// A video with some broken frames is of use, and each is an error of its own. One in which nothing but
    /// broken frames comes is none, and could be read for hours.
    public var maximumBrokenFrames = 1000

    /// Pictures as they are, at the rate that the video says.
    public init() {}
  }

  /// The pictures in a second.
  public let frameRate: FrameRate
  private var source: any FrameSource
  private let path: String
  private let maximumBrokenFrames: Int
  private var nextIndex = 0
  /// The frames behind the last good one.
  private var brokenCount = 0

  /// Opens the video at `path`.
  ///
  /// The path is that of a file or a pipe, `-` for the standard input, a folder, whose pictures are
  /// taken in the order of the numbers in their names, a pattern such as `frame-%04d.png`, or a
  /// single picture.
  public init(contentsOf path: String, options: Options = .init()) throws(ImageError) {
    self.path = path == "-" ? "standard input" : path
    maximumBrokenFrames = options.maximumBrokenFrames
    do {
      source = try Self.source(of: path, options)
    } catch {
      throw error.inFile(self.path)
    }
    frameRate = options.frameRate ?? source.frameRate ?? .usual
  }

  /// The next picture; `nil` after the last one.
  ///
  /// After an error, the next call goes on with the pictures behind the one that was broken. Where more in a
  /// row are broken than the options allow, the error says so, and there is no next one.
  public func next() throws(ImageError) -> VideoFrame? {
    let index = nextIndex
    guard brokenCount <= maximumBrokenFrames else { return nil }
    do {
      guard let image = try source.nextImage() else { return nil }
      nextIndex += 1
      brokenCount = 0
      return VideoFrame(image: image, timestamp: frameRate.timestamp(of: index), index: index)
    } catch {
      nextIndex += 1
      brokenCount += 1
      var failure = error.inFile(path)
      failure.message = "frame \(index): \(error.message)"
      if brokenCount > maximumBrokenFrames {
        failure.message +=
          "; these are \(brokenCount) broken frames in a row, and the rest of the video is given up: "
          + "`ffmpeg -i IN OUT.y4m` may repair it"
      }
      throw failure
    }
  }

  private static func source(
    of path: String, _ options: Options
  ) throws(ImageError) -> any FrameSource {
    let isPattern = path.contains("%") && !FileSystem.exists(path)
    if isPattern || FileSystem.isDirectory(path) {
      return try PictureSequence(path, options: options.decoding)
    }
    let stream = try ByteStream(path)
    let beginning = try stream.peek(10)
    if beginning.starts(with: Y4MHeader.signature.utf8) {
      return try Y4MFrames(stream, options: options)
    }
    if beginning.starts(with: [0xFF, 0xD8]) {
      return MotionJPEGFrames(stream, options: options.decoding)
    }
    if path != "-", beginning.withUnsafeBytes({ (try? ImageFormat(detecting: $0)) != nil }) {
      return PictureSequence(file: path, options: options.decoding)
    }
    if beginning.isEmpty { throw ImageError(.malformed, "the video is empty") }
    throw ImageError(
      .unsupported,
      "this is neither Y4M nor MJPEG; `ffmpeg -i IN -f yuv4mpegpipe -pix_fmt yuv420p -` makes Y4M")
  }
}

/// What videos consist of: pictures one after the other.
protocol FrameSource {
  /// The rate that the video says it has.
  var frameRate: FrameRate? { get }

  /// The next picture; `nil` at the end. After an error, the one after it.
  mutating func nextImage() throws(ImageError) -> Image?
}

/// One picture of a video.
public struct VideoFrame: Sendable {
  /// The picture.
  public var image: Image
  /// When it is seen, counted from the first one.
  public var timestamp: Duration
  /// Its number, counted from 0; pictures that could not be read have one too.
  public var index: Int
}
