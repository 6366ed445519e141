/// The dynamic quantization of floats to bytes, before they are multiplied by quantized weights.
public struct FloatQuantization: Sendable {
  /// Returns the minimum and maximum of the values and `first`; NaN is ignored unless `first` is
  /// NaN.
  public var extremes:
    @Sendable (_ values: UnsafePointer<Float>, _ count: Int, _ first: Float) -> FloatExtremes
  /// Quantizes values.
  public var round: @Sendable (FloatQuantizationArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    extremes: @escaping @Sendable (UnsafePointer<Float>, Int, Float) -> FloatExtremes,
    round: @escaping @Sendable (FloatQuantizationArguments) -> Void
  ) {
    self.extremes = extremes
    self.round = round
  }
}

/// The minimum and the maximum of some numbers.
@frozen public struct FloatExtremes: Sendable {
  /// The minimum.
  public var lowest: Float
  /// The maximum.
  public var highest: Float

  /// Creates a pair of extremes.
  public init(lowest: Float, highest: Float) {
    self.lowest = lowest
    self.highest = highest
  }
}

/// The arguments of quantizing floats to bytes: `factor · value`, rounded to nearest, half away
/// from zero, plus the zero point, and clamped.
///
/// As in the official kernels, whole groups of eight values are rounded by adding one half and
/// truncating, so that the number just below one half becomes one. The rest of an array is rounded
/// exactly. XNNPACK rounds all values exactly, half to even.
@frozen public struct FloatQuantizationArguments {
  /// The values to quantize.
  public var input: UnsafePointer<Float>
  /// The number of values.
  public var count: Int
  /// The inverse of the quantization scale.
  public var factor: Float
  /// The zero point, added to the rounded product.
  public var zeroPoint: Int32
  /// Whether all values are rounded half to even; NaN then becomes the highest byte.
  public var roundsToEven: Bool
  /// The lowest byte, which NaN also becomes.
  public var minimum: Int32
  /// The highest byte.
  public var maximum: Int32
  /// Whether 128 is added to the results, which makes them unsigned bytes.
  public var makesUnsigned: Bool
  /// The quantized bytes.
  public var output: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, count: Int, factor: Float, zeroPoint: Int32,
    roundsToEven: Bool = false, minimum: Int32, maximum: Int32, makesUnsigned: Bool = false,
    output: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.count = count
    self.factor = factor
    self.zeroPoint = zeroPoint
    self.roundsToEven = roundsToEven
    self.minimum = minimum
    self.maximum = maximum
    self.makesUnsigned = makesUnsigned
    self.output = output
  }
}
