/// An array to convert and its destination, which may be the same memory if the size is the same.
@frozen public struct ElementRow {
  /// The first element.
  public var input: UnsafeRawPointer
  /// The first result.
  public var output: UnsafeMutableRawPointer
  /// The number of elements.
  public var count: Int

  /// Creates a row.
  public init(input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int) {
    self.input = input
    self.output = output
    self.count = count
  }
}

/// A conversion of elements from one type to another.
public enum ElementConversion: Sendable {
  /// Divides floats by the scale and rounds them, half away from zero, to quantized integers.
  ///
  /// NaN becomes the lowest. The range is that of the type, and contains the zero point.
  case quantize(QuantizedElement, scale: Float, range: QuantizedRange)
  /// Converts quantized integers to floats: `scale · (x - zeroPoint)`.
  case dequantize(QuantizedElement, scale: Float, zeroPoint: Int32)
  /// Subtracts the zero point of quantized integers and rescales them, except from 8 bits to 8
  /// bits, which a table does.
  case requantize(
    QuantizedElement, zeroPoint: Int32, to: QuantizedElement, FixedPointResult)
  /// Rescales 16-bit integers with another scale for negative ones, which may also be negated.
  ///
  /// Both results are clamped to the range of `kept`.
  case rectify(kept: FixedPointResult, sloped: FixedPointResult, negatesSloped: Bool)
  /// Rescales the magnitudes of 16-bit integers.
  case scaleMagnitudes(FixedPointResult)
  /// Negates signed bytes; -128 stays as it is.
  case negateBytes
  /// Subtracts the zero point of `Int32` and rescales them to 8-bit integers.
  case scaleSums(zeroPoint: Int32, FixedPointResult)
  /// Converts half-precision floats to floats.
  case widenHalves
  /// Converts `Int32` to floats.
  case integersToFloats
  /// Truncates and saturates floats to `Int32`; NaN becomes the highest.
  case floatsToIntegers
  /// Converts numbers to another type.
  ///
  /// Floats are truncated and saturated, with NaN as the highest; integers wrap; everything but
  /// zero is true. There are no conversions from floats to integers of 32 or 64 bits, or from 64
  /// bits to floats or Booleans.
  case cast(from: PlainElement, to: PlainElement)
}
