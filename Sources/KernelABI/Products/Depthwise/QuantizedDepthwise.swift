/// The quantized depthwise convolution of one instruction set: 8-bit windows summed in 32 bits,
/// plus bias, requantized per channel.
///
/// Every result is exact.
public struct QuantizedDepthwise: Sendable {
  /// The size of the packed weights of a window.
  public var packedByteCount: @Sendable (PatchGeometry) -> Int
  /// Packs weights, bias and multipliers, once per model.
  public var pack: @Sendable (QuantizedDepthwisePackingArguments) -> Void
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (WindowBlock<QuantizedFinish>) -> Void

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    pack: @escaping @Sendable (QuantizedDepthwisePackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (WindowBlock<QuantizedFinish>) -> Void
  ) {
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// What `QuantizedDepthwise.pack` reads and where it writes.
public struct QuantizedDepthwisePackingArguments {
  /// The weights, in the 1HWC order of the filter.
  public var filter: UnsafeRawPointer
  /// The format of the weights.
  public var filterFormat: QuantizedFormat
  /// The format of the activations, whose zero point goes into the packed bias.
  public var inputFormat: QuantizedFormat
  /// One value per channel, or `nil` for zeros.
  public var bias: UnsafePointer<Int32>?
  /// The scaling of the sums.
  public var requantization: SumScaling
  /// The channels and windows, as when run, but for the sizes of input and output.
  public var geometry: PatchGeometry
  /// The destination of `packedByteCount(geometry)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, filterFormat: QuantizedFormat, inputFormat: QuantizedFormat,
    bias: UnsafePointer<Int32>?, requantization: SumScaling, geometry: PatchGeometry,
    packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.filterFormat = filterFormat
    self.inputFormat = inputFormat
    self.bias = bias
    self.requantization = requantization
    self.geometry = geometry
    self.packed = packed
  }
}
