/// The float depthwise convolution of one instruction set: one window per channel.
///
/// One product after the other is added over the window, and last the bias.
public struct FloatDepthwise: Sendable {
  /// The size of the packed weights of a window of `taps` pixels over `channels` channels.
  public var packedByteCount: @Sendable (_ channels: Int, _ taps: Int) -> Int
  /// Packs weights and bias, once per model.
  public var pack: @Sendable (FloatDepthwisePackingArguments) -> Void
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (FloatDepthwiseArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (FloatDepthwisePackingArguments) -> Void,
    run: @escaping @Sendable (FloatDepthwiseArguments) -> Void
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

/// The operands of some output pixels of a float depthwise convolution.
@frozen public struct FloatDepthwiseArguments {
  /// Where the window finds its pixels; `channels` equals `pixelStride`.
  public var patches: PatchGeometry
  /// The first element of the input.
  public var input: UnsafePointer<Float>
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The first element of the output.
  public var output: UnsafeMutablePointer<Float>
  /// The output pixels to compute, counted over batch, height and width.
  public var pixels: Range<Int>
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float
  /// Whether products are rounded before they are added, which takes longer.
  public var numerics: Numerics

  /// Creates the arguments.
  public init(
    patches: PatchGeometry, input: UnsafePointer<Float>, packed: UnsafeRawPointer,
    output: UnsafeMutablePointer<Float>, pixels: Range<Int>, minimum: Float, maximum: Float,
    numerics: Numerics = .fast
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.pixels = pixels
    self.minimum = minimum
    self.maximum = maximum
    self.numerics = numerics
  }
}
