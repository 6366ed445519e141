import OcellusKernelABI

/// Makes bytes of floats: divides them by the scale, which rounds to a float, and rounds that to the
/// nearest whole number, half away from zero.
///
/// Of two products, a little less and a little more than the quotient, almost always both round to the
/// same whole number, and so does what lies between them. Only where they do not, once in some
/// thousands, is there a division. How the products' own ties are rounded does not matter: the quotient
/// lies beyond the lesser product and short of the greater one.
struct QuantizedBytes {
  private let divisor: Quartet
  private let less: Quartet
  private let more: Quartet
  private let low: Quartet
  private let high: Quartet
  private let zeroPoint: SumVector
  /// Flips the highest bits of unsigned bytes.
  private let flip: SumVector

  /// The floats from here on are whole numbers, next to each other in their bits.
  @inline(__always)
  private var anchor: Float { 0x1.8p23 }

  /// The products with the scale's reciprocal have to be ordinary floats, and the range that of a type.
  @inline(__always)
  init(scale: Float, _ range: QuantizedRange) {
    divisor = Quartet(repeating: scale)
    // Two units and more off: further than the reciprocal, a factor and a product are rounded together.
    less = Quartet(repeating: 1 / scale * (1 - 0x1p-21))
    more = Quartet(repeating: 1 / scale * (1 + 0x1p-21))
    low = Quartet(repeating: Float(range.minimum &- range.zeroPoint) * scale)
    high = Quartet(repeating: Float(range.maximum &- range.zeroPoint) * scale)
    zeroPoint = SumVector(repeating: range.zeroPoint &- range.narrowingOffset)
    flip = SumVector(repeating: range.narrowingOffset &* 0x0101_0101)
  }

  /// The bytes of four vectors; NaN becomes the lowest.
  @inline(__always)
  func callAsFunction(_ x: Quartet) -> SumVector {
    // NaN is low from here on. What is too high for the range is too high for bytes, too, and what is
    // no whole number behind the anchor is infinite or differs.
    let bounded = maximum(x, low)
    let lesser = wholeNumbers(bounded, less)
    let greater = wholeNumbers(bounded, more)
    let differences =
      difference(lesser.a, greater.a) | difference(lesser.b, greater.b)
      | difference(lesser.c, greater.c) | difference(lesser.d, greater.d)
    // They have no sign themselves.
    if hasNegativeLane(SumVector.zero &- differences) { return divided(bounded) }
    let offset = zeroPoint &- SumVector(repeating: Int32(bitPattern: anchor.bitPattern))
    return bytes(
      asLanes(lesser.a) &+ offset, asLanes(lesser.b) &+ offset,
      asLanes(lesser.c) &+ offset, asLanes(lesser.d) &+ offset)
  }

  /// The nearest whole numbers of products, behind the anchor.
  @inline(__always)
  private func wholeNumbers(_ x: Quartet, _ factor: Quartet) -> Quartet {
    FusedMultiplyAdd.multiplyAdd(Quartet(repeating: anchor), x, factor)
  }

  @inline(__always)
  private func difference(_ x: FloatVector, _ y: FloatVector) -> SumVector {
    asLanes(x) ^ asLanes(y)
  }

  private func divided(_ x: Quartet) -> SumVector {
    let quotients = minimum(x, high) / divisor
    return bytes(
      roundedAwayFromZero(quotients.a) &+ zeroPoint, roundedAwayFromZero(quotients.b) &+ zeroPoint,
      roundedAwayFromZero(quotients.c) &+ zeroPoint, roundedAwayFromZero(quotients.d) &+ zeroPoint)
  }

  /// Nothing is left to be clamped.
  @inline(__always)
  private func bytes(_ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector) -> SumVector {
    let lowest = SumVector(repeating: ~0x7F7F_7F7F), highest = SumVector(repeating: 0x7F7F_7F7F)
    return narrowed(a, b, c, d, low: lowest, high: highest) ^ flip
  }
}
