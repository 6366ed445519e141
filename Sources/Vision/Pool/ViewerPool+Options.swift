public import OcellusImaging

extension ViewerPool {
  /// The limits on the calls of a pool.
  public struct Options: Hashable, Sendable {
    /// The maximum number of waiting calls; one more is refused with ``VisionError/busy(_:)``.
    ///
    /// A call with several pictures is refused as a whole; once accepted, each picture counts while
    /// it waits.
    public var waitingCalls: Int
    /// The maximum total bytes of waiting picture files; calls beyond it are refused, too.
    public var waitingBytes: Int
    /// The options for decoding pictures that the pool gets as files.
    ///
    /// `limits.maximumBytes`, 256 MiB unless set, holds for all viewers together: a picture that
    /// needs more memory is refused, one that needs more than is free at the moment waits.
    /// `minimumSize` is ignored, as the pool knows the size that its network needs.
    public var decoding: ImageDecodingOptions

    /// Creates limits for a server.
    ///
    /// The defaults are 1,024 waiting calls, 256 MiB of waiting files, and 256 MiB for decoding.
    public init(
      waitingCalls: Int = 1024, waitingBytes: Int = 1 << 28, decoding: ImageDecodingOptions? = nil
    ) {
      self.waitingCalls = waitingCalls
      self.waitingBytes = waitingBytes
      var usual = ImageDecodingOptions()
      usual.limits.maximumBytes = 1 << 28
      self.decoding = decoding ?? usual
    }
  }
}
