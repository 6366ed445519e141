/// The reciprocal of a positive integer, as the official kernels compute it without a division.
package struct FixedPointReciprocal: Sendable {
  /// The reciprocal of the integer scaled into [1, 2), in units of 2⁻³¹.
  package let fraction: Int32
  /// The power of two that divides the integer for that.
  package let exponent: Int

  /// - Parameter value: above zero.
  package init(of value: Int32) {
    let headroom = value.leadingZeroBitCount
    exponent = 31 - headroom
    // The bits below the leading one are the distance from 1.
    let distance = Int32(
      bitPattern: (UInt32(bitPattern: value) &<< UInt32(headroom)) &- (1 << 31))
    fraction = FixedPoint(raw: distance, integerBits: 0).reciprocalOfOnePlus.raw
  }
}
