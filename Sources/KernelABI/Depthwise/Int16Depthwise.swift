/// The depthwise convolution of 16-bit activations for one instruction set: summed exactly, plus
/// bias, requantized per channel to 16 bits.
public struct Int16Depthwise: Sendable {
  /// The size of the packed weights of `channels` channels and `taps` taps.
  public var packedByteCount: @Sendable (_ channels: Int, _ taps: Int) -> Int
  /// Packs weights, bias and multipliers, once per model.
  public var pack: @Sendable (Int16DepthwisePackingArguments) -> Void
  /// The size of the scratch memory for one call of `run`.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (WindowBlock<QuantizedRange>) -> Void

  /// The largest number of taps whose products fit a 32-bit sum for any 8-bit weights.
  public static var maximumTapCount: Int { 511 }

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (Int16DepthwisePackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (WindowBlock<QuantizedRange>) -> Void
  ) {
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// The arguments of `Int16Depthwise.pack`.
public struct Int16DepthwisePackingArguments {
  /// The weights: `Int8`, in the 1HWC order of the filter.
  public var filter: UnsafeRawPointer
  /// One value per channel, or `nil` for zeros.
  public var bias: UnsafePointer<Int64>?
  /// The requantization of the sums.
  public var requantization: Int16SumScaling
  /// The number of channels of input and output.
  public var channels: Int
  /// The number of taps of the window, at most `maximumTapCount`.
  public var taps: Int
  /// The destination of `packedByteCount(channels, taps)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, bias: UnsafePointer<Int64>?, requantization: Int16SumScaling,
    channels: Int, taps: Int, packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.bias = bias
    self.requantization = requantization
    self.channels = channels
    self.taps = taps
    self.packed = packed
  }
}
