import OcellusKernelABI

/// Quantizes floats to bytes with the bits of a division by the scale.
///
/// The quotient is rounded to a float, and then to the nearest integer, half away from zero.
/// Instead of dividing, this multiplies by factors slightly below and above the reciprocal. Almost
/// always both products round to the same integer, and so does the quotient between them;
/// otherwise, once in some thousands, it divides. The rounding of the products' ties is irrelevant,
/// because the quotient lies strictly between the products.
struct QuantizedBytes {
  private let divisor: Quartet
  private let less: Quartet
  private let more: Quartet
  private let low: Quartet
  private let high: Quartet
  private let zeroPoint: SumVector
  /// The XOR mask that toggles the sign bits of unsigned bytes.
  private let signToggle: SumVector

  /// Floats from here on are consecutive integers, and so are their bit patterns.
  @inline(__always)
  private var anchor: Float { 0x1.8p23 }

  /// Requires products with the scale's reciprocal to be normal floats, and the range of a type.
  @inline(__always)
  init(scale: Float, _ range: QuantizedRange) {
    divisor = Quartet(repeating: scale)
    // The distance exceeds the combined rounding errors of the reciprocal, a factor and a product.
    less = Quartet(repeating: 1 / scale * (1 - 0x1p-21))
    more = Quartet(repeating: 1 / scale * (1 + 0x1p-21))
    low = Quartet(repeating: Float(range.minimum &- range.zeroPoint) * scale)
    high = Quartet(repeating: Float(range.maximum &- range.zeroPoint) * scale)
    zeroPoint = SumVector(repeating: range.zeroPoint &- range.narrowingOffset)
    signToggle = SumVector(repeating: range.narrowingOffset &* 0x0101_0101)
  }

  /// Returns the bytes of four vectors; NaN becomes the lowest.
  @inline(__always)
  func callAsFunction(_ x: Quartet) -> SumVector {
    // NaN becomes the lower bound. Numbers above the range saturate as bytes. Where a sum is too
    // large to be an integer above the anchor, it is infinite, or the two sums differ.
    let bounded = maximum(x, low)
    let lesser = wholeNumbers(bounded, less)
    let greater = wholeNumbers(bounded, more)
    let differences =
      difference(lesser.a, greater.a) | difference(lesser.b, greater.b)
      | difference(lesser.c, greater.c) | difference(lesser.d, greater.d)
    // Differences have no sign of their own, so negation makes all but zero negative.
    if hasNegativeLane(SumVector.zero &- differences) { return divided(bounded) }
    let offset = zeroPoint &- SumVector(repeating: Int32(bitPattern: anchor.bitPattern))
    return bytes(
      asLanes(lesser.a) &+ offset, asLanes(lesser.b) &+ offset,
      asLanes(lesser.c) &+ offset, asLanes(lesser.d) &+ offset)
  }

  /// Returns the nearest integers of products, as floats above the anchor.
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

  /// Narrows four vectors to bytes, without further clamping.
  @inline(__always)
  private func bytes(_ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector) -> SumVector {
    let lowest = SumVector(repeating: ~0x7F7F_7F7F), highest = SumVector(repeating: 0x7F7F_7F7F)
    return narrowed(a, b, c, d, low: lowest, high: highest) ^ signToggle
  }
}
