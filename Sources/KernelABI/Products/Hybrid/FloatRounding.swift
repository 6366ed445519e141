/// Rounds floats to bytes before they are multiplied with quantized weights.
public struct FloatRounding: Sendable {
  /// Finds the lowest and the highest of some numbers, beginning with `first` for both; NaN is
  /// neither, unless `first` is.
  public var extremes:
    @Sendable (_ values: UnsafePointer<Float>, _ count: Int, _ first: Float) -> FloatExtremes
  /// Rounds numbers.
  public var round: @Sendable (FloatRoundingArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    extremes: @escaping @Sendable (UnsafePointer<Float>, Int, Float) -> FloatExtremes,
    round: @escaping @Sendable (FloatRoundingArguments) -> Void
  ) {
    self.extremes = extremes
    self.round = round
  }
}

/// The lowest and the highest of some numbers.
@frozen public struct FloatExtremes: Sendable {
  /// The lowest number.
  public var lowest: Float
  /// The highest number.
  public var highest: Float

  /// Creates extremes.
  public init(lowest: Float, highest: Float) {
    self.lowest = lowest
    self.highest = highest
  }
}

/// The operands of the rounding of floats to bytes: `factor · value`, rounded to nearest,
/// half away from zero, plus the zero point, and clamped.
///
/// As in the official kernels, what is rounded by eights gets half added, and the fraction cut off:
/// the number just below one half becomes one. The rest of an array is rounded properly.
@frozen public struct FloatRoundingArguments {
  /// The numbers to round.
  public var input: UnsafePointer<Float>
  /// The numbers of the input.
  public var count: Int
  /// What a number is multiplied with.
  public var factor: Float
  /// What is added to the rounded product.
  public var zeroPoint: Int32
  /// The lowest byte, which also stands for NaN.
  public var minimum: Int32
  /// The highest byte.
  public var maximum: Int32
  /// Whether 128 is added to results, to bytes without signs.
  public var makesUnsigned: Bool
  /// The result.
  public var output: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, count: Int, factor: Float, zeroPoint: Int32,
    minimum: Int32, maximum: Int32, makesUnsigned: Bool = false, output: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.count = count
    self.factor = factor
    self.zeroPoint = zeroPoint
    self.minimum = minimum
    self.maximum = maximum
    self.makesUnsigned = makesUnsigned
    self.output = output
  }
}
