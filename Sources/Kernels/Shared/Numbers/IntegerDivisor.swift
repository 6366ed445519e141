/// A division of floats by an integer, correctly rounded, and fast if the integer is below 2²⁰.
///
/// It multiplies by the reciprocal in two parts, which together are exact to a relative 2⁻⁴⁶. A
/// quotient of a float by `n` that is no float differs by at least a relative `2⁻²⁵ / n` from the
/// midpoint between two floats, where rounding would change: otherwise the quotient times `n` would
/// be two integers that differ by less than one.
struct IntegerDivisor {
  private var divisor: FloatVector
  /// The reciprocal, rounded down.
  private var high: FloatVector
  /// The rest of the reciprocal; never zero, because infinity times zero is NaN.
  private var low: FloatVector
  /// The smallest magnitude for which the products with both parts are exact enough.
  ///
  /// It is stored as twice its bits minus one, in the order of signed numbers.
  private var minimumMagnitude: SumVector

  @inline(__always)
  init(_ number: Float) {
    let reciprocal = 1 / Double(number)
    let nearest = Float(reciprocal)
    let down =
      Double(nearest) > reciprocal ? Float(bitPattern: nearest.bitPattern &- 1) : nearest
    divisor = FloatVector(repeating: number)
    let minimumMagnitude: Float = number < 0x1p20 ? 0x1p-60 : .infinity
    self.minimumMagnitude = SumVector(
      repeating: Int32(bitPattern: 2 &* minimumMagnitude.bitPattern &- 1) ^ .min)
    high = FloatVector(repeating: down)
    low = FloatVector(
      repeating: down == nearest && Double(down) == reciprocal
        ? down * 0x1p-60 : Float(reciprocal - Double(down)))
  }

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector {
    #if FMA
      if hasNegativeLane(lesserLanes(x)) { return x / divisor }
      return FusedMultiplyAdd.multiplyAdd(x * low, x, high)
    #else
      return x / divisor
    #endif
  }

  @inline(__always)
  func callAsFunction(_ x: Quartet) -> Quartet {
    #if FMA
      let lesser = (lesserLanes(x.a) | lesserLanes(x.b)) | (lesserLanes(x.c) | lesserLanes(x.d))
      if hasNegativeLane(lesser) { return x.map { $0 / divisor } }
      return x.map { FusedMultiplyAdd.multiplyAdd($0 * low, $0, high) }
    #else
      return x.map { $0 / divisor }
    #endif
  }

  /// Returns all ones for numbers of lesser magnitude, but not for zeros.
  @inline(__always)
  private func lesserLanes(_ x: FloatVector) -> SumVector {
    let bits = asLanes(x)
    // Doubling the bits drops the sign; subtracting one makes zero the largest.
    let order = bits &+ bits &+ SumVector(repeating: .max)
    return asLanes(order .< minimumMagnitude)
  }
}
