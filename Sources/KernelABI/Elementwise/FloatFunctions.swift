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
  /// The greatest whole number up to `a / b`, divided and rounded down in double precision.
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
  /// The nearest number in an interval; NaN stays.
  case clamp(FloatRange)
  /// `x > 0 ? x : x * slope`.
  case rectify(slope: Float)
  /// `-x`.
  case negate
  /// `|x|`.
  case magnitude
  /// `x²`.
  case square
  /// `x` to a whole power from one on, by multiplying; every product is limited to finite numbers.
  case power(UInt32)
  /// -1, 0 or 1; NaN stays.
  case sign
  /// `√x`.
  case squareRoot
  /// `1 / √x`.
  case reciprocalSquareRoot
  /// `x · min(6, max(0, x + 3)) / 6`.
  case hardSwish
  /// `1 / (1 + exp(-x))`, and `exp(x)` below -9, as the official kernel has it.
  case logistic(Numerics)
  /// `x` times the one before; the greatest finite number for infinity.
  case sigmoidLinear(Numerics)
  /// The hyperbolic tangent.
  case tanh(Numerics)
  /// `exp(x)`.
  case exponential(Numerics)
  /// `x < 0 ? exp(x) - 1 : x`.
  case exponentialLinear(Numerics)
  /// `x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))`.
  case gaussianLinear
  /// `x/2 · (1 + erf(x/√2))`.
  case gaussianErrorLinear
  /// The nearest of the numbers at a distance of `step` from the lower bound on, halves to the higher one; NaN
  /// is as low as any. There are at most 2¹⁶ of them.
  case roundToSteps(FloatRange, step: Float)
  /// The greatest whole number up to `x`.
  case floor
  /// The least whole number from `x` on.
  case ceiling
  /// The nearest whole number, halves to the even one.
  case nearest
  /// `sin(x)`, where `x` is at most `greatestAngle` away from zero.
  case sine
  /// `cos(x)`, as above.
  case cosine
  /// The natural logarithm.
  case logarithm

  /// How far from zero the arguments of sine and cosine may be.
  public static let greatestAngle: Float = 8192
}

/// The interval that results are clamped to; NaN passes.
@frozen public struct FloatRange: Equatable, Sendable {
  /// The lower end, `-infinity` where there is none.
  public var lowerBound: Float
  /// The upper end, `infinity` where there is none.
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
