/// The float depthwise convolution for one instruction set: one filter per channel.
///
/// Products are added one by one in the order of the taps, and the bias last.
public struct FloatDepthwise: Sendable {
  /// The size of the packed weights of `channels` channels and `taps` taps.
  public var packedByteCount: @Sendable (_ channels: Int, _ taps: Int) -> Int
  /// Packs weights and bias, once per model.
  public var pack: @Sendable (FloatDepthwisePackingArguments) -> Void
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (WindowBlock<FloatEpilogue>) -> Void

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (FloatDepthwisePackingArguments) -> Void,
    run: @escaping @Sendable (WindowBlock<FloatEpilogue>) -> Void
  ) {
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.run = run
  }
}

/// The arguments of `FloatDepthwise.pack`.
@frozen public struct FloatDepthwisePackingArguments {
  /// The weights: `taps` rows of `channels` contiguous elements (the 1HWC order of the filter).
  public var filter: UnsafePointer<Float>
  /// One value per channel, or `nil` for zeros.
  public var bias: UnsafePointer<Float>?
  /// The number of channels of input and output.
  public var channels: Int
  /// The number of taps of the window.
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
