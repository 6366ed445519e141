import OcellusKernelABI

/// Scales whole numbers by a product of floats, in half the instructions that `BoundedScale` takes.
struct FloatScale: ResultScaling {
  private let factor, bias, negativeBias: FloatVector
  private let zeroPoint: Int32

  /// The floats from here on are whole numbers, next to each other in their bits.
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

/// Searches the scaling in floats that has the results of one in fixed point.
///
/// The official scaling rounds to units of 2⁻ʳ, r being the shift to the right, and then to whole
/// numbers, so that a number reaches the next result half such a unit early: that is the bias. Where
/// floats would round to the other side, one next to the factor often does not.
func floatScaling(_ result: FixedPointResult, largest: Int32) -> FloatScaling? {
  #if HIGH_PRODUCTS
    return nil
  #else
    guard result.isBounded, result.multiplier > 0, largest < 1 &<< 22 else { return nil }
    let factor = Float(result.multiplier) * powerOfTwo(result.exponent &- 31)
    let bias = powerOfTwo(result.exponent &- 1)
    for attempt in 0..<6 {
      // A number halfway between two results takes a step if it is positive, and none if it is not.
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

/// Whether floats take every step from one result to the next at the number at which fixed point does.
///
/// Both never fall while numbers rise, so that all others are right with those at both ends of steps.
private func isExact(
  _ scaling: FloatScaling, _ result: FixedPointResult, largest: Int32
) -> Bool {
  let scale = FloatScale(scaling, zeroPoint: 0)
  let (range, multiplier, last) = (result.range, Int(result.multiplier), Int(largest))
  let above = Int(range.maximum &- range.zeroPoint), below = Int(range.zeroPoint &- range.minimum)
  var numbers = SumVector(), results = SumVector(), differences = SumVector()
  for step in 0..<(above > below ? above : below) {
    // What the product with the multiplier has to reach; its own halves are rounded up.
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
