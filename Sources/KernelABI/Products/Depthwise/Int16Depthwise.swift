/// The depthwise convolution of 16-bit activations of one instruction set: summed exactly, plus
/// bias, requantized per channel to 16 bits.
public struct Int16Depthwise: Sendable {
  /// The size of the packed weights of a window of so many pixels.
  public var packedByteCount: @Sendable (_ channels: Int, _ taps: Int) -> Int
  /// Packs weights, bias and multipliers, once per model.
  public var pack: @Sendable (Int16DepthwisePackingArguments) -> Void
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (Int16DepthwiseArguments) -> Void

  /// The most pixels of a window whose products 32 bits can hold, whatever the weights.
  public static var mostTaps: Int { 511 }

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (Int16DepthwisePackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (Int16DepthwiseArguments) -> Void
  ) {
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// What `Int16Depthwise.pack` reads and where it writes.
public struct Int16DepthwisePackingArguments {
  /// The weights, signed bytes in the 1HWC order of the filter.
  public var filter: UnsafeRawPointer
  /// One value per channel, or `nil` for zeros.
  public var bias: UnsafePointer<Int64>?
  /// The scaling of the sums.
  public var requantization: Int16SumScaling
  /// The channels of input and output.
  public var channels: Int
  /// The pixels of the window, at most `mostTaps`.
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

/// The operands of some output pixels of a depthwise convolution of 16-bit activations.
@frozen public struct Int16DepthwiseArguments {
  /// Where the window finds its pixels; `channels` equals `pixelStride`.
  public var patches: PatchGeometry
  /// The first element of the input.
  public var input: UnsafePointer<Int16>
  /// The packed weights, which also say how the sums are scaled.
  public var packed: UnsafeRawPointer
  /// The first element of the output.
  public var output: UnsafeMutablePointer<Int16>
  /// The output pixels to compute, counted over batch, height and width.
  public var pixels: Range<Int>
  /// The range of the output, and its zero point, which is zero.
  public var range: QuantizedRange
  /// Memory of `scratchByteCount(patches)` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    patches: PatchGeometry, input: UnsafePointer<Int16>, packed: UnsafeRawPointer,
    output: UnsafeMutablePointer<Int16>, pixels: Range<Int>, range: QuantizedRange,
    scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.pixels = pixels
    self.range = range
    self.scratch = scratch
  }
}
