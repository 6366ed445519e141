import OcellusPlatform

/// Reads the frames of a video one by one.
///
/// A video is a Y4M or MJPEG file or stream, a directory of pictures, or a numbered sequence of
/// pictures.
public final class VideoReader {
  /// The options for reading videos.
  public struct Options: Hashable, Sendable {
    /// The options for decoding JPEG frames and separate picture files.
    public var decoding = ImageDecodingOptions()
    /// The number of frames per second; `nil` for that of the video, or 25 if it has none.
    public var frameRate: FrameRate?
    /// The colour matrix of a Y4M video, which its header does not tell.
    public var matrix = YCbCrEncoding.Matrix.bt601
    /// The number of consecutive broken frames after which the rest of the video is given up.
    ///
    /// Each broken frame is an error of its own, because a video with a few of them is still
    /// useful. The limit keeps a stream of nothing but broken frames from being read for hours.
    public var maximumBrokenFrames = 1000

    /// Creates the default options.
    public init() {}
  }

  /// The number of frames per second.
  public let frameRate: FrameRate
  private var source: any FrameSource
  private let path: String
  private let maximumBrokenFrames: Int
  private var nextIndex = 0
  /// The number of consecutive broken frames so far.
  private var brokenCount = 0

  /// Opens the video at `path`.
  ///
  /// `path` is a file or a pipe, `-` for the standard input, a directory, whose pictures are read
  /// in natural order of their names, a pattern such as `frame-%04d.png`, or a single picture.
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

  /// Returns the next frame; `nil` after the last one.
  ///
  /// After an error, the next call continues after the broken frame. If more consecutive frames are
  /// broken than the options allow, the error says so, and all further calls return `nil`.
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

/// A source of video frames.
protocol FrameSource {
  /// The rate in the video's header, if it has one.
  var frameRate: FrameRate? { get }

  /// Returns the next frame; `nil` at the end. After an error, continues with the frame after it.
  mutating func nextImage() throws(ImageError) -> Image?
}

/// One frame of a video.
public struct VideoFrame: Sendable {
  /// The picture.
  public var image: Image
  /// The presentation time, relative to the first frame.
  public var timestamp: Duration
  /// The index of the frame, from 0; broken frames are counted too.
  public var index: Int
}
