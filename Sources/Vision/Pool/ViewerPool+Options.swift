public import OcellusImaging

extension ViewerPool {
  /// The limits on the calls of a pool.
  public struct Options: Hashable, Sendable {
    /// The maximum number of waiting calls; one more is refused with ``VisionError/busy(_:)``.
    ///
    /// Large pictures take at most three quarters of it. A call with several pictures is refused as
    /// a whole; once accepted, each picture counts while it waits.
    public var waitingCalls: Int
    /// The maximum total bytes of picture files that the pool's calls hold.
    ///
    /// Files of up to an eighth of it have another quarter of it for themselves, and so have files
    /// of up to an eighth of that. A file that exceeds `waitingBytes` is refused with an
    /// `ImageError` of kind `tooLarge`.
    public var waitingBytes: Int
    /// The maximum total bytes that decoding large pictures takes.
    ///
    /// They have more than 16 megapixels or take more than 8 MiB; each viewer decodes smaller ones
    /// itself. A picture that needs more than this or than `decoding.limits.maximumBytes` is refused
    /// with an `ImageError` of kind `tooLarge`; one that needs more than is free waits.
    public var decodingBytes: Int
    /// The options for decoding pictures that the pool gets as files.
    ///
    /// `minimumSize` is ignored, as the pool knows the size that its network needs.
    public var decoding: ImageDecodingOptions

    /// Creates limits for a server.
    ///
    /// The defaults are 1,024 waiting calls, 256 MiB of files, and 256 MiB for decoding.
    public init(
      waitingCalls: Int = 1024, waitingBytes: Int = 1 << 28, decodingBytes: Int = 1 << 28,
      decoding: ImageDecodingOptions = .init()
    ) {
      self.waitingCalls = waitingCalls
      self.waitingBytes = waitingBytes
      self.decodingBytes = decodingBytes
      self.decoding = decoding
    }

    /// Returns the options for decoding a picture for `purpose`, within the limits.
    func decoding(for purpose: PicturePurpose) -> ImageDecodingOptions {
      var options = decoding
      options.limits.maximumBytes = min(options.limits.maximumBytes, decodingBytes)
      options.purpose = purpose
      options.readsTexts = false
      return options
    }
  }
}
