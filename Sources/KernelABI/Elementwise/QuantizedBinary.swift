/// The types of quantized elements.
public enum QuantizedElement: Sendable {
  /// `Int8`.
  case int8
  /// `UInt8`.
  case uint8
  /// `Int16`.
  case int16
}

/// The requantization of 32-bit numbers: a multiplier and a shift in fixed point, rounding twice.
///
/// Then the zero point is added, and the result clamped.
@frozen public struct FixedPointResult: Sendable {
  /// The multiplier, from 0 to 2³¹ - 1.
  public var multiplier: Int32
  /// The shift, positive to the left, from -31 to 31.
  public var exponent: Int32
  /// The zero point and the range.
  public var range: QuantizedRange
  /// Whether no input exceeds 2²⁹ in magnitude, which saves instructions.
  public var isBounded: Bool
  /// The same scaling in floats, if it gives the same results for all possible inputs.
  public var inFloats: FloatScaling?

  /// Creates a scaling.
  public init(multiplier: Int32, exponent: Int32, range: QuantizedRange, isBounded: Bool) {
    self.multiplier = multiplier
    self.exponent = exponent
    self.range = range
    self.isBounded = isBounded
  }
}

/// A scaling by a float multiplication, rounded to the nearest integer.
///
/// It is `x · factor + bias`, or `x · factor - negativeBias` for negative numbers.
@frozen public struct FloatScaling: Sendable {
  /// The scale.
  public var factor: Float
  /// The number that is added to the products of numbers that are not negative.
  public var bias: Float
  /// The number that is subtracted from the products of negative numbers.
  public var negativeBias: Float

  /// Creates a scaling.
  public init(factor: Float, bias: Float, negativeBias: Float) {
    self.factor = factor
    self.bias = bias
    self.negativeBias = negativeBias
  }
}

/// A quantized operand as an integer in the unit of a sum.
///
/// It is `(x·factor + constant + ((x·fraction + fractionConstant) >> fractionBits)) / 2^shift`, the
/// quotient rounded to nearest, half away from zero.
@frozen public struct QuantizedSumTerm: Sendable {
  /// The integral part of the factor.
  public var factor: Int32
  /// The number that is added to the product.
  public var constant: Int32
  /// The fractional part of the factor.
  public var fraction: Int32
  /// The number that is added to the product with `fraction`.
  public var fractionConstant: Int32
  /// The number of bits of `fraction`.
  public var fractionBits: Int32
  /// The binary logarithm of the divisor, from 0 to 31.
  public var shift: Int32

  /// Creates a term, by default one with an integral factor.
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
  /// The type of the operands and results.
  public var element: QuantizedElement
  /// The first operand, without fraction and shift.
  public var first: QuantizedSumTerm
  /// The second operand.
  public var second: QuantizedSumTerm
  /// The requantization of the sum.
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

/// The sum of two 8-bit operands in wrapping 32-bit arithmetic.
///
/// The result is `(first · firstFactor + second · secondFactor + constant) >> shift`, clamped. The
/// planner chooses parameters that are exact for all pairs of bytes.
@frozen public struct LinearSum: Sendable {
  /// The type of operands and results, `int8` or `uint8`.
  public var element: QuantizedElement
  /// The factor of the first operand.
  public var firstFactor: Int32
  /// The factor of the second operand.
  public var secondFactor: Int32
  /// The number that is added to the products.
  public var constant: Int32
  /// The fractional bits, from 0 to 31.
  public var shift: Int32
  /// The lower bound of the results.
  public var minimum: Int32
  /// The upper bound of the results.
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
  /// The type of the operands and results.
  public var element: QuantizedElement
  /// The zero point of the first operand.
  public var firstZeroPoint: Int32
  /// The zero point of the second operand.
  public var secondZeroPoint: Int32
  /// The requantization of the product.
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

/// The squared difference of two signed 8-bit operands, which are rescaled to a common scale first.
@frozen public struct QuantizedSquaredDifference: Sendable {
  /// The zero point of the first operand.
  public var firstZeroPoint: Int32
  /// The zero point of the second operand.
  public var secondZeroPoint: Int32
  /// The left shift of the elements, zero point subtracted, before they are rescaled.
  public var spareBits: Int32
  /// The rescaling of the first operand, without clamping.
  public var first: FixedPointResult
  /// The rescaling of the second operand, without clamping.
  public var second: FixedPointResult
  /// The requantization of the square.
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

/// The multiplication of negative 8-bit elements by slopes (PRELU), in the type of both.
@frozen public struct QuantizedRectification: Sendable {
  /// The type: `int8` or `uint8`.
  public var element: QuantizedElement
  /// The zero point of the elements.
  public var zeroPoint: Int32
  /// The zero point of the slopes.
  public var slopeZeroPoint: Int32
  /// The requantization of the elements that are not negative.
  public var kept: FixedPointResult
  /// The requantization of the products with slopes, to the same range.
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
