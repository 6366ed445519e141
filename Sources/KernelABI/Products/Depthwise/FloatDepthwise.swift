/// The float depthwise convolution of one instruction set: one window per channel.
///
/// One product after the other is added over the window, and last the bias.
public struct FloatDepthwise: Sendable {
  /// The size of the packed weights of a window of `taps` pixels over `channels` channels.
  public var packedByteCount: @Sendable (_ channels: Int, _ taps: Int) -> Int
  /// Packs weights and bias, once per model.
  public var pack: @Sendable (FloatDepthwisePackingArguments) -> Void
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (WindowBlock<FloatFinish>) -> Void

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (FloatDepthwisePackingArguments) -> Void,
    run: @escaping @Sendable (WindowBlock<FloatFinish>) -> Void
  ) {
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.run = run
  }
}

/// What `FloatDepthwise.pack` reads and where it writes.
@frozen public struct FloatDepthwisePackingArguments {
  /// The weights: `taps` rows of `channels` contiguous elements (the 1HWC order of the filter).
  public var filter: UnsafePointer<Float>
  /// One value per channel, or `nil` for zeros.
  public var bias: UnsafePointer<Float>?
  /// The channels of input and output.
  public var channels: Int
  /// The pixels of the window.
  public var taps: Int
  /// The destination of `packedByteCount(channels, taps)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?, channels: Int, taps: Int,
    packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.bias = bias
    self.channels = channels
    self.taps = taps
    self.packed = packed
  }
}
