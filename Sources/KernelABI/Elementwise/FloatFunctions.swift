/// A function of two floats that a kernel applies to rows.
public enum BinaryFloatFunction: Sendable {
  /// `a + b`.
  case add
  /// `a - b`.
  case subtract
  /// `a * b`.
  case multiply
  /// `a / b`.
  case divide
  /// `floor(a / b)`, computed in double precision.
  case floorQuotient
  /// `a > b ? a : b`.
  case maximum
  /// `a < b ? a : b`.
  case minimum
  /// `(a - b)²`.
  case squaredDifference
  /// `a >= 0 ? a : a * b`.
  case rectifyWithSlope
}

/// A function of one float that a kernel applies to an array.
public enum UnaryFloatFunction: Sendable {
  /// `x` clamped to an interval; NaN stays.
  case clamp(FloatRange)
  /// `x > 0 ? x : x * slope`.
  case rectify(slope: Float)
  /// `-x`.
  case negate
  /// `|x|`.
  case magnitude
  /// `x²`.
  case square
  /// `x` to an integral power of at least one, by multiplications whose results are clamped to
  /// finite numbers.
  case power(UInt32)
  /// -1, 0 or 1; NaN stays.
  case sign
  /// `√x`.
  case squareRoot
  /// `1 / √x`.
  case reciprocalSquareRoot
  /// `x · min(6, max(0, x + 3)) / 6`.
  case hardSwish(Numerics)
  /// `1 / (1 + exp(-x))`, or `exp(x)` below -9, as in the official kernel.
  case logistic(Numerics)
  /// `x` times its logistic function; infinity counts as the greatest finite number.
  case sigmoidLinear(Numerics)
  /// The hyperbolic tangent.
  case tanh(Numerics)
  /// `exp(x)`.
  case exponential(Numerics)
  /// `x < 0 ? exp(x) - 1 : x`.
  case exponentialLinear(Numerics)
  /// `x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))`.
  case gaussianLinear(Numerics)
  /// `x/2 · (1 + erf(x/√2))`.
  case gaussianErrorLinear(Numerics)
  /// The nearest of the numbers `lowerBound + n · step` in a range, with ties rounded up.
  ///
  /// NaN becomes the lower bound. There are at most 2¹⁶ such numbers.
  case roundToSteps(FloatRange, step: Float)
  /// The greatest integer not above `x`.
  case floor
  /// The least integer not below `x`.
  case ceiling
  /// The nearest integer, ties to even.
  case nearest
  /// `sin(x)`; with `fast` numerics for magnitudes of `x` up to `greatestAngle`.
  case sine(Numerics)
  /// `cos(x)`; with `fast` numerics for magnitudes of `x` up to `greatestAngle`.
  case cosine(Numerics)
  /// The natural logarithm.
  case logarithm(Numerics)

  /// The largest magnitude of the arguments of fast sines and cosines.
  public static let greatestAngle: Float = 8192
}

/// The interval to which results are clamped; NaN passes.
@frozen public struct FloatRange: Equatable, Sendable {
  /// The lower bound, `-infinity` for none.
  public var lowerBound: Float
  /// The upper bound, `infinity` for none.
  public var upperBound: Float

  /// Creates an interval, by default of all numbers.
  public init(lowerBound: Float = -.infinity, upperBound: Float = .infinity) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }

  /// The interval of all finite numbers.
  public static let finite = FloatRange(
    lowerBound: -.greatestFiniteMagnitude, upperBound: .greatestFiniteMagnitude)
}
