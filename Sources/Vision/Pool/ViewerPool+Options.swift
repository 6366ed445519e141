public import OcellusImaging

extension ViewerPool {
  /// What the calls of a pool may cost.
  public struct Options: Hashable, Sendable {
    /// The calls that may wait for a viewer; one more is refused at once, with ``VisionError/busy(_:)``.
    ///
    /// A call with several pictures is refused as one; once it is taken, all of them count while they wait.
    public var waitingCalls: Int
    /// The bytes of picture files that may wait; a call with more than what is left is refused in the same way.
    public var waitingBytes: Int
    /// How the pool reads pictures that it gets as files.
    ///
    /// `limits.maximumBytes`, 256 MiB unless it is set, is for all viewers together: a picture that needs more
    /// memory than that is refused, one that needs more than is free at the moment waits. `minimumSize` is not
    /// looked at: the pool knows what its network needs.
    public var decoding: ImageDecodingOptions

    /// Limits for a server: 1,024 waiting calls, 256 MiB of waiting files, and 256 MiB for reading them.
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
