import OcellusKernelABI

/// A scaling of integers by a float multiplication, with half the instructions of `BoundedScale`.
struct FloatScale: ResultScaling {
  private let factor, bias, negativeBias: FloatVector
  private let zeroPoint: Int32

  /// Floats from here on are consecutive integers, and so are their bit patterns.
  @inline(__always)
  private static var anchor: Float { 0x1.8p23 }

  @inline(__always)
  init(_ result: FixedPointResult) {
    self.init(
      result.inFloats ?? FloatScaling(factor: 0, bias: 0, negativeBias: 0),
      zeroPoint: result.range.zeroPoint)
  }

  @inline(__always)
  fileprivate init(_ scaling: FloatScaling, zeroPoint: Int32) {
    factor = FloatVector(repeating: scaling.factor)
    bias = FloatVector(repeating: scaling.bias)
    negativeBias = FloatVector(repeating: 0 - scaling.negativeBias)
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func scaled(_ numbers: SumVector, offset: Int32) -> SumVector {
    let x = floats(numbers)
    let steps = FusedMultiplyAdd.multiplyAdd(
      select(integerBits(x), negativeBias, bias), x, factor)
    let whole = integerBits(steps + FloatVector(repeating: Self.anchor))
    let anchorBits = Int32(bitPattern: Self.anchor.bitPattern)
    return whole &+ SumVector(repeating: zeroPoint &- offset &- anchorBits)
  }
}

/// Searches for a float scaling with exactly the results of a fixed-point scaling.
///
/// The official scaling first rounds to units of 2⁻ʳ, where r is the right shift, and then to
/// integers. Hence a number reaches the next result half such a unit early, which is the bias. If a
/// float product falls on the wrong side, a neighbouring factor is often exact.
func floatScaling(_ result: FixedPointResult, largest: Int32) -> FloatScaling? {
  #if HIGH_PRODUCTS
    return nil
  #else
    guard result.isBounded, result.multiplier > 0, largest < 1 &<< 22 else { return nil }
    let factor = Float(result.multiplier) * powerOfTwo(result.exponent &- 31)
    let bias = powerOfTwo(result.exponent &- 1)
    for attempt in 0..<6 {
      // The nudge rounds ties up: away from zero for positive numbers, towards zero for negative
      // ones.
      let nudge: Float = attempt < 3 ? 0 : 0x1p-16
      let (next, other) = (factor.bitPattern &+ 1, factor.bitPattern &- 1)
      let bits = attempt % 3 == 0 ? factor.bitPattern : attempt % 3 == 1 ? next : other
      let scaling = FloatScaling(
        factor: Float(bitPattern: bits), bias: bias + nudge, negativeBias: bias - nudge)
      if isExact(scaling, result, largest: largest) { return scaling }
    }
    return nil
  #endif
}

/// Whether floats and fixed point step from one result to the next at the same numbers.
///
/// Both functions are monotonic, so it suffices to check the numbers on both sides of every step.
private func isExact(
  _ scaling: FloatScaling, _ result: FixedPointResult, largest: Int32
) -> Bool {
  let scale = FloatScale(scaling, zeroPoint: 0)
  let (range, multiplier, last) = (result.range, Int(result.multiplier), Int(largest))
  let above = Int(range.maximum &- range.zeroPoint), below = Int(range.zeroPoint &- range.minimum)
  var numbers = SumVector(), results = SumVector(), differences = SumVector()
  for step in 0..<(above > below ? above : below) {
    // The product with the multiplier that the next result requires; its first rounding rounds up.
    let product = (2 &* step &+ 1) &<< Int(30 &- result.exponent) &- 1 &<< 30
    let first = (product &+ multiplier &- 1) / multiplier
    let firstNegative = (product &+ multiplier) / multiplier
    numbers[0] = Int32(truncatingIfNeeded: smaller(first &- 1, last))
    numbers[1] = Int32(truncatingIfNeeded: smaller(first, last))
    numbers[2] = Int32(truncatingIfNeeded: 0 &- smaller(firstNegative &- 1, last))
    numbers[3] = Int32(truncatingIfNeeded: 0 &- smaller(firstNegative, last))
    results[0] = Int32(truncatingIfNeeded: step)
    results[1] = Int32(truncatingIfNeeded: first > last ? step : step &+ 1)
    results[2] = Int32(truncatingIfNeeded: 0 &- step)
    results[3] = Int32(truncatingIfNeeded: 0 &- (firstNegative > last ? step : step &+ 1))
    differences |= scale.scaled(numbers, offset: 0) ^ results
    if first > last && firstNegative > last { break }
  }
  return !hasNegativeLane(differences | (SumVector() &- differences))
}

private func powerOfTwo(_ exponent: Int32) -> Float {
  Float(bitPattern: UInt32(bitPattern: exponent &+ 127) &<< 23)
}
