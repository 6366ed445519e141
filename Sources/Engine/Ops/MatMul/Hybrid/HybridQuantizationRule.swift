/// The rule by which floats between two extremes are rounded to `int8`.
struct HybridQuantizationRule {
  let quantization: HybridQuantization
  /// The factor by which floats are multiplied before they are rounded and the zero point is added;
  /// `nil` where all floats are zero, and so are their integers.
  let factor: Float?
  /// The lowest integer; the highest is 127.
  let lowest: Int
  /// Whether ties are rounded to even, as XNNPACK does.
  var roundsToEven = false

  private static let ofZeros = HybridQuantizationRule(
    quantization: HybridQuantization(scale: 1, zeroPoint: 0), factor: nil, lowest: 0)

  /// Returns the rule for integers from -127 to 127, where the largest magnitude becomes 127 or
  /// -127.
  ///
  /// The arithmetic is `NeonSymmetricQuantizeFloats`, which the official runtime also uses on x86.
  static func symmetric(_ lowest: Float, _ highest: Float) -> HybridQuantizationRule {
    let magnitude = max(abs(lowest), abs(highest))
    guard magnitude != 0 else { return ofZeros }
    return HybridQuantizationRule(
      quantization: HybridQuantization(scale: magnitude / 127, zeroPoint: 0),
      factor: 127 / magnitude, lowest: -127)
  }

  /// Returns the rule for the whole range of `int8`, in which one integer stands exactly for zero.
  ///
  /// The arithmetic is `NeonAsymmetricQuantizeFloats`, which the official runtime also uses on x86.
  static func asymmetric(_ lowest: Float, _ highest: Float) -> HybridQuantizationRule {
    let (lowest, highest) = (min(lowest, 0), max(highest, 0))
    guard lowest != highest else { return ofZeros }
    let (low, high) = (Double(lowest), Double(highest))
    // The difference is rounded to single precision, as in the official code.
    let step = Double(highest - lowest) / 255
    // The zero point is computed from the end of the range that gives the smaller error.
    let isLowCloser = 128 + abs(low / step) < 127 + abs(high / step)
    let zeroPoint = Int(
      clamping: isLowCloser ? -128 - low / step : 127 - high / step, to: -128...127)
    let scale = Float(step)
    return HybridQuantizationRule(
      quantization: HybridQuantization(scale: scale, zeroPoint: zeroPoint), factor: 1 / scale,
      lowest: -128)
  }

  /// Returns XNNPACK's rule for the whole range of `int8`.
  static func delegated(_ lowest: Float, _ highest: Float) -> HybridQuantizationRule {
    let (lowest, highest) = (min(lowest, 0), max(highest, 0))
    let factor = lowest == highest ? 1 : 255 / (highest - lowest)
    let (low, high) = (lowest * factor, highest * factor)
    // The zero point is computed from the end of the range that gives the smaller error.
    let exact = (-128 + low) + (127 + high) > 0 ? -128 - low : 127 - high
    let zeroPoint = exact.clamped(to: -128...127).roundedToStep
    return HybridQuantizationRule(
      quantization: HybridQuantization(scale: 1 / factor, zeroPoint: Int(zeroPoint)),
      factor: factor, lowest: -128, roundsToEven: true)
  }

  /// Returns the integer of a float that was divided by the scale.
  ///
  /// The official kernels round eight elements at once by adding half and cutting off the fraction:
  /// the number just below one half becomes one. They round the remaining elements to nearest.
  @inline(__always)
  func integer(steps: Float, isCut: Bool) -> Int8 {
    let whole = isCut ? (steps + (steps < 0 ? -0.5 : 0.5)).rounded(.towardZero) : steps
    let zeroPoint = quantization.zeroPoint
    let range = lowest - zeroPoint...127 - zeroPoint
    return Int8(truncatingIfNeeded: Int(clamping: whole, to: range) + zeroPoint)
  }
}
