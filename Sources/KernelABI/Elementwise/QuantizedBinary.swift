/// The types of quantized elements.
public enum QuantizedElement: Sendable {
  /// `Int8`.
  case int8
  /// `UInt8`.
  case uint8
  /// `Int16`.
  case int16
}

/// How 32-bit numbers become quantized results: a multiplier and a shift in fixed point, rounding
/// twice, then the zero point and the range.
@frozen public struct FixedPointResult: Sendable {
  /// From 0 to 2³¹ - 1.
  public var multiplier: Int32
  /// The shift, positive to the left, from -31 to 31.
  public var exponent: Int32
  /// The zero point and the range.
  public var range: QuantizedRange
  /// Whether no number to scale exceeds 2²⁹ in magnitude, which saves instructions.
  public var isBounded: Bool
  /// The same scaling in floats, where it is as exact for all numbers that there are to scale.
  public var inFloats: FloatScaling?

  /// Creates a scaling.
  public init(multiplier: Int32, exponent: Int32, range: QuantizedRange, isBounded: Bool) {
    self.multiplier = multiplier
    self.exponent = exponent
    self.range = range
    self.isBounded = isBounded
  }
}

/// A scaling by a product of floats: `x · factor + bias`, or `x · factor - negativeBias` for negative
/// numbers, to the nearest whole number.
@frozen public struct FloatScaling: Sendable {
  /// What numbers are multiplied with.
  public var factor: Float
  /// What is added to the products of numbers that are not negative.
  public var bias: Float
  /// What is subtracted from those of negative ones.
  public var negativeBias: Float

  /// Creates a scaling.
  public init(factor: Float, bias: Float, negativeBias: Float) {
    self.factor = factor
    self.bias = bias
    self.negativeBias = negativeBias
  }
}

/// A quantized operand as an integer in the unit of a sum:
/// `(x·factor + constant + ((x·fraction + fractionConstant) >> fractionBits)) / 2^shift`,
/// the quotient rounded to nearest, half away from zero.
@frozen public struct QuantizedSumTerm: Sendable {
  /// What an element is multiplied with.
  public var factor: Int32
  /// What is added to the product.
  public var constant: Int32
  /// The bits of the factor behind the point.
  public var fraction: Int32
  /// What is added to the product of these.
  public var fractionConstant: Int32
  /// How many there are.
  public var fractionBits: Int32
  /// The power of two to divide by, from 0 to 31.
  public var shift: Int32

  /// Creates a term, by default one without a fraction to round.
  public init(
    factor: Int32, constant: Int32, fraction: Int32 = 0, fractionConstant: Int32 = 0,
    fractionBits: Int32 = 0, shift: Int32 = 0
  ) {
    self.factor = factor
    self.constant = constant
    self.fraction = fraction
    self.fractionConstant = fractionConstant
    self.fractionBits = fractionBits
    self.shift = shift
  }
}

/// The sum of two quantized operands of the same type, in that type.
@frozen public struct QuantizedSum: Sendable {
  /// The type.
  public var element: QuantizedElement
  /// The first operand, without fraction and shift.
  public var first: QuantizedSumTerm
  /// The second operand.
  public var second: QuantizedSumTerm
  /// How the sum becomes a result.
  public var result: FixedPointResult

  /// Creates a sum.
  public init(
    element: QuantizedElement, first: QuantizedSumTerm, second: QuantizedSumTerm,
    result: FixedPointResult
  ) {
    self.element = element
    self.first = first
    self.second = second
    self.result = result
  }
}

/// The sum of two 8-bit operands in 32 bits that wrap around:
/// `(first · firstFactor + second · secondFactor + constant) >> shift`, clamped.
///
/// Exact for parameters that are right for all pairs of bytes.
@frozen public struct LinearSum: Sendable {
  /// `int8` or `uint8`, which the results are of too.
  public var element: QuantizedElement
  /// What the first operand is multiplied with.
  public var firstFactor: Int32
  /// What the second operand is multiplied with.
  public var secondFactor: Int32
  /// What is added to the products.
  public var constant: Int32
  /// The fractional bits, from 0 to 31.
  public var shift: Int32
  /// The lower end of the results.
  public var minimum: Int32
  /// The upper end of the results.
  public var maximum: Int32

  /// Creates a sum.
  public init(
    element: QuantizedElement, firstFactor: Int32, secondFactor: Int32, constant: Int32,
    shift: Int32, minimum: Int32, maximum: Int32
  ) {
    self.element = element
    self.firstFactor = firstFactor
    self.secondFactor = secondFactor
    self.constant = constant
    self.shift = shift
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// The product of two quantized operands of the same type, in that type.
@frozen public struct QuantizedProduct: Sendable {
  /// The type.
  public var element: QuantizedElement
  /// The zero point of the first operand.
  public var firstZeroPoint: Int32
  /// The zero point of the second operand.
  public var secondZeroPoint: Int32
  /// How the product becomes a result.
  public var result: FixedPointResult

  /// Creates a product.
  public init(
    element: QuantizedElement, firstZeroPoint: Int32, secondZeroPoint: Int32,
    result: FixedPointResult
  ) {
    self.element = element
    self.firstZeroPoint = firstZeroPoint
    self.secondZeroPoint = secondZeroPoint
    self.result = result
  }
}

/// The square of the difference of two signed 8-bit operands, which are brought to one scale first.
@frozen public struct QuantizedSquaredDifference: Sendable {
  /// The zero point of the first operand.
  public var firstZeroPoint: Int32
  /// The zero point of the second operand.
  public var secondZeroPoint: Int32
  /// How far elements less their zero point are shifted to the left before they are scaled.
  public var spareBits: Int32
  /// How elements of the first operand are scaled, unclamped.
  public var first: FixedPointResult
  /// How those of the second one are.
  public var second: FixedPointResult
  /// How the square becomes a result.
  public var result: FixedPointResult

  /// Creates a squared difference.
  public init(
    firstZeroPoint: Int32, secondZeroPoint: Int32, spareBits: Int32, first: FixedPointResult,
    second: FixedPointResult, result: FixedPointResult
  ) {
    self.firstZeroPoint = firstZeroPoint
    self.secondZeroPoint = secondZeroPoint
    self.spareBits = spareBits
    self.first = first
    self.second = second
    self.result = result
  }
}

/// 8-bit elements of which the negative ones are multiplied by others, in the type of both.
@frozen public struct QuantizedRectification: Sendable {
  /// The type: `int8` or `uint8`.
  public var element: QuantizedElement
  /// The zero point of the elements.
  public var zeroPoint: Int32
  /// The zero point of the slopes that they are multiplied by.
  public var slopeZeroPoint: Int32
  /// How elements that are not negative become results.
  public var kept: FixedPointResult
  /// How products with slopes do; to the same range.
  public var sloped: FixedPointResult

  /// Creates a rectification.
  public init(
    element: QuantizedElement, zeroPoint: Int32, slopeZeroPoint: Int32, kept: FixedPointResult,
    sloped: FixedPointResult
  ) {
    self.element = element
    self.zeroPoint = zeroPoint
    self.slopeZeroPoint = slopeZeroPoint
    self.kept = kept
    self.sloped = sloped
  }
}
