/// The quantized depthwise convolution for one instruction set: 8-bit windows summed in 32 bits,
/// plus bias, requantized per channel.
///
/// All sums are exact.
public struct QuantizedDepthwise: Sendable {
  /// The size of the packed weights.
  public var packedByteCount: @Sendable (PatchGeometry) -> Int
  /// Packs weights, bias and multipliers, once per model.
  public var pack: @Sendable (QuantizedDepthwisePackingArguments) -> Void
  /// The size of the scratch memory for one call of `run`.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of output pixels, all channels.
  public var run: @Sendable (WindowBlock<QuantizedEpilogue>) -> Void

  /// Creates the entry from its functions.
  public init(
    packedByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    pack: @escaping @Sendable (QuantizedDepthwisePackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (WindowBlock<QuantizedEpilogue>) -> Void
  ) {
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// The arguments of `QuantizedDepthwise.pack`.
public struct QuantizedDepthwisePackingArguments {
  /// The weights, in the 1HWC order of the filter.
  public var filter: UnsafeRawPointer
  /// The format of the weights.
  public var filterFormat: QuantizedFormat
  /// The format of the activations, whose zero point goes into the packed bias.
  public var inputFormat: QuantizedFormat
  /// One value per channel, or `nil` for zeros.
  public var bias: UnsafePointer<Int32>?
  /// The requantization of the sums.
  public var requantization: SumScaling
  /// The same geometry as in `run`, except for the sizes of input and output.
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
