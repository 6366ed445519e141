/// Divides floats by a whole number, rounding as the division does; by those below 2²⁰ in a fraction of its time.
///
/// The reciprocal has two parts, together right to 2⁻⁴⁶ of it. A quotient of a float by `n` that is no float
/// is at least `2⁻²⁵ / n` of itself away from the middle between two floats, where rounding would turn: the
/// quotient times `n` would else be two whole numbers that differ by less than one.
struct WholeDivisor {
  private var divisor: FloatVector
  /// The reciprocal, rounded down.
  private var high: FloatVector
  /// What the reciprocal has more, and something also where it has no more: infinity times zero is no number.
  private var low: FloatVector
  /// Lesser magnitudes are divided: the parts' products are not exact enough for them.
  ///
  /// Twice its bits, less one, in the order of numbers with a sign.
  private var least: SumVector

  @inline(__always)
  init(_ number: Float) {
    let reciprocal = 1 / Double(number)
    let nearest = Float(reciprocal)
    let down =
      Double(nearest) > reciprocal ? Float(bitPattern: nearest.bitPattern &- 1) : nearest
    divisor = FloatVector(repeating: number)
    let least: Float = number < 0x1p20 ? 0x1p-60 : .infinity
    self.least = SumVector(repeating: Int32(bitPattern: 2 &* least.bitPattern &- 1) ^ .min)
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

  /// All ones where there are such numbers; zeros are none of them.
  @inline(__always)
  private func lesserLanes(_ x: FloatVector) -> SumVector {
    let bits = asLanes(x)
    // Twice the bits have no sign; less one, zero has become the largest.
    let order = bits &+ bits &+ SumVector(repeating: .max)
    return asLanes(order .< least)
  }
}
