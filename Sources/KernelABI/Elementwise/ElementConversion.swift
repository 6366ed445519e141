/// An array and where the array made of it goes: the same place where elements keep their size.
@frozen public struct ElementRow {
  /// The first element.
  public var input: UnsafeRawPointer
  /// The first result.
  public var output: UnsafeMutableRawPointer
  /// The elements.
  public var count: Int

  /// Creates a row.
  public init(input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int) {
    self.input = input
    self.output = output
    self.count = count
  }
}

/// How elements of one type become elements of another.
public enum ElementConversion: Sendable {
  /// Floats divided by the scale and rounded, half away from zero, to quantized integers; NaN
  /// becomes the lowest. The range is the type's, and the zero point lies in it.
  case quantize(QuantizedElement, scale: Float, range: QuantizedRange)
  /// Quantized integers to floats: `scale · (x - zeroPoint)`.
  case dequantize(QuantizedElement, scale: Float, zeroPoint: Int32)
  /// Quantized integers, less their zero point, to others; 8 bits to 8 bits are looked up instead.
  case requantize(
    QuantizedElement, zeroPoint: Int32, to: QuantizedElement, FixedPointResult)
  /// 16-bit integers to others of which the negative ones are scaled otherwise, and perhaps negated
  /// then; both to the range of those that are kept.
  case rectify(kept: FixedPointResult, sloped: FixedPointResult, negatesSloped: Bool)
  /// The magnitudes of 16-bit integers to others.
  case scaleMagnitudes(FixedPointResult)
  /// Bytes to their negatives, of which the least is its own.
  case negateBytes
  /// `Int32`, less their zero point, to 8-bit integers.
  case scaleSums(zeroPoint: Int32, FixedPointResult)
  /// Half-precision floats to floats.
  case widenHalves
  /// `Int32` to floats.
  case integersToFloats
  /// Floats to `Int32` without their fraction, saturated; NaN becomes the highest.
  case floatsToIntegers
  /// Numbers to the same in another type: floats without their fraction, saturated, NaN the highest;
  /// integers wrap; what is not zero is true. Floats do not become 32 or 64 bits, and 64 bits become
  /// neither floats nor truth values.
  case cast(from: PlainElement, to: PlainElement)
}
