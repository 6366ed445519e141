/// The parameters with which floats were rounded to `int8` at run time, to multiply them by
/// quantized weights: `real = scale × (integer − zeroPoint)`.
package struct HybridQuantization: Sendable, Hashable {
  package let scale: Float
  package let zeroPoint: Int

  package init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// Rounds floats to integers from -127 to 127; the largest magnitude becomes 127 or -127.
  package static func symmetric(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>,
    _ control: RunControl?
  ) -> HybridQuantization {
    let (lowest, highest) = extremes(of: values, control)
    return round(values, .symmetric(lowest, highest), to: integers, control)
  }

  /// Rounds floats to the whole range of `int8`, in which one integer stands exactly for zero.
  package static func asymmetric(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>,
    _ control: RunControl?
  ) -> HybridQuantization {
    let (lowest, highest) = extremes(of: values, control)
    return round(values, .asymmetric(lowest, highest), to: integers, control)
  }

  /// Rounds floats to the whole range of `int8` as XNNPACK does, with ties to even.
  static func delegated(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>,
    _ control: RunControl?
  ) -> HybridQuantization {
    let (lowest, highest) = extremes(of: values, from: 0, control)
    let rounding = HybridQuantizationRule.delegated(lowest, highest)
    let quantization = rounding.quantization
    let (factor, zeroPoint) = (rounding.factor ?? 1, Int32(quantization.zeroPoint))
    for chunk in StoppableChunks(of: values.count, control) {
      for index in chunk {
        let steps = (values[index] * factor).roundedToStep &+ zeroPoint
        integers[index] = Int8(truncatingIfNeeded: steps.clamped(to: -128...127))
      }
    }
    return quantization
  }

  /// Returns the extremes of some values and of `first`, by default one of the values.
  private static func extremes(
    of values: UnsafeBufferPointer<Float>, from first: Float? = nil, _ control: RunControl?
  ) -> (Float, Float) {
    guard var lowest = first ?? values.first else { return (0, 0) }
    var highest = lowest
    for chunk in StoppableChunks(of: values.count, control) {
      for index in chunk {
        let value = values[index]
        if value < lowest { lowest = value }
        if value > highest { highest = value }
      }
    }
    return (lowest, highest)
  }

  private static func round(
    _ values: UnsafeBufferPointer<Float>, _ rounding: HybridQuantizationRule,
    to integers: UnsafeMutableBufferPointer<Int8>, _ control: RunControl?
  ) -> HybridQuantization {
    guard let factor = rounding.factor else {
      integers.update(repeating: 0, control)
      return rounding.quantization
    }
    let wholeCount = values.count & ~7
    for chunk in StoppableChunks(of: values.count, control) {
      for index in chunk {
        integers[index] = rounding.integer(
          steps: values[index] * factor, isCut: index < wholeCount)
      }
    }
    return rounding.quantization
  }
}

extension Int {
  /// Rounds to the nearest integer in a range, ties away from zero, and NaN to its lower end, as on
  /// x86.
  init(clamping value: some BinaryFloatingPoint, to range: ClosedRange<Int>) {
    let rounded = value.rounded(.toNearestOrAwayFromZero)
    self =
      Int(exactly: rounded)?.clamped(to: range)
      ?? (rounded > 0 ? range.upperBound : range.lowerBound)
  }
}
