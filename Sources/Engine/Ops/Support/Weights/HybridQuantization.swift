/// How floats were rounded to `int8` on the fly, so that they can be multiplied with quantized
/// weights: `real = scale × (integer − zeroPoint)`.
package struct HybridQuantization: Sendable, Hashable {
  package let scale: Float
  package let zeroPoint: Int

  package init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// What becomes of numbers that are all zero.
  private static let ofZeros = HybridQuantization(scale: 1, zeroPoint: 0)

  /// Rounds floats to integers from -127 to 127, the largest magnitude to the last of them.
  ///
  /// The arithmetic is `PortableSymmetricQuantizeFloats`.
  package static func symmetric(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>
  ) -> HybridQuantization {
    let (lowest, highest) = extremes(of: values)
    let magnitude = max(abs(lowest), abs(highest))
    guard magnitude != 0 else {
      integers.update(repeating: 0)
      return ofZeros
    }
    round(values, times: 127 / magnitude, plus: 0, within: -127...127, to: integers)
    return HybridQuantization(scale: magnitude / 127, zeroPoint: 0)
  }

  /// Rounds floats to the whole range of integers, with zero exactly on one of them.
  ///
  /// The arithmetic is `PortableAsymmetricQuantizeFloats`.
  package static func asymmetric(
    _ values: UnsafeBufferPointer<Float>, to integers: UnsafeMutableBufferPointer<Int8>
  ) -> HybridQuantization {
    var (lowest, highest) = extremes(of: values)
    (lowest, highest) = (min(lowest, 0), max(highest, 0))
    guard lowest != highest else {
      integers.update(repeating: 0)
      return ofZeros
    }
    let (low, high) = (Double(lowest), Double(highest))
    let step = (high - low) / 255
    // The zero point is counted from the end that it comes out more exactly from.
    let isLowCloser = 128 + abs(low / step) < 127 + abs(high / step)
    let zeroPoint = Int(
      clamping: isLowCloser ? -128 - low / step : 127 - high / step, to: -128...127)
    let scale = Float(step)
    round(values, times: 1 / scale, plus: Float(zeroPoint), within: -128...127, to: integers)
    return HybridQuantization(scale: scale, zeroPoint: zeroPoint)
  }

  private static func extremes(of values: UnsafeBufferPointer<Float>) -> (Float, Float) {
    guard var lowest = values.first else { return (0, 0) }
    var highest = lowest
    for value in values {
      if value < lowest { lowest = value }
      if value > highest { highest = value }
    }
    return (lowest, highest)
  }

  private static func round(
    _ values: UnsafeBufferPointer<Float>, times factor: Float, plus offset: Float,
    within range: ClosedRange<Int>, to integers: UnsafeMutableBufferPointer<Int8>
  ) {
    for index in values.indices {
      let integer = Int(clamping: offset + values[index] * factor, to: range)
      integers[index] = Int8(truncatingIfNeeded: integer)
    }
  }
}

extension Int {
  /// The nearest integer in a range, ties away from zero; its lower end for a NaN, as on x86.
  fileprivate init(clamping value: some BinaryFloatingPoint, to range: ClosedRange<Int>) {
    let rounded = value.rounded(.toNearestOrAwayFromZero)
    self =
      Int(exactly: rounded)?.clamped(to: range)
      ?? (rounded > 0 ? range.upperBound : range.lowerBound)
  }
}
