import OcellusKernelABI

/// Every pair says how small the constant may be and how great.
///
/// Nothing overflows: the engine leaves room for the sum of both products and a result.
func boundConstant(_ sum: LinearSum, _ results: UnsafePointer<UInt8>) -> ConstantBounds {
  var bounds = LaneBounds(sum)
  var least = Int32.min, greatest = Int32.max
  for index in 0..<256 where least <= greatest {
    // In leaps, so that factors that are no good are found out early.
    let first = index &* 149 & 255
    bounds.narrow(first: first, results: UnsafeRawPointer(results) + first &* 256)
    least = largestLane(bounds.least)
    greatest = -1 &- largestLane(-1 &- bounds.greatest)
  }
  return ConstantBounds(least: least, greatest: greatest)
}

/// The bounds so far, those of every lane's pairs by themselves.
private struct LaneBounds {
  private let sum: LinearSum
  private let mask: SumVector
  /// What the second operands of a vector add to the sum, from the lowest number on.
  private let products: SumVector
  var least = SumVector(repeating: .min)
  var greatest = SumVector(repeating: .max)

  init(_ sum: LinearSum) {
    self.sum = sum
    mask = laneMask(sum.element)
    var numbers = SumVector.zero
    for lane in 0..<SumVector.scalarCount { numbers[lane] = Int32(truncatingIfNeeded: lane) }
    let lowest: Int32 = sum.element == .int8 ? -128 : 0
    products =
      (numbers &+ SumVector(repeating: lowest)) &* SumVector(repeating: sum.secondFactor)
      &+ SumVector(repeating: lowest &* sum.firstFactor)
  }

  /// Takes in the results of one first operand with all second ones.
  @inline(__always)
  mutating func narrow(first: Int, results: UnsafeRawPointer) {
    let shift = SumVector(repeating: sum.shift)
    let room = SumVector(repeating: (1 &<< sum.shift) &- 1)
    let minimumResult = SumVector(repeating: sum.minimum)
    let maximumResult = SumVector(repeating: sum.maximum)
    let one = SumVector(repeating: 1)
    let step = SumVector(
      repeating: sum.secondFactor &* Int32(truncatingIfNeeded: SumVector.scalarCount))
    var product =
      products &+ SumVector(repeating: Int32(truncatingIfNeeded: first) &* sum.firstFactor)
    var second = 0
    while second < 256 {
      let result = ByteLanes.load(results + second, mask: mask)
      let start = shiftLeft(result, shift) &- product
      // All ones where results are clamped: beyond the range, sums may be anything.
      let isLowest = minimum(one, result &- minimumResult) &- one
      let isHighest = minimum(one, maximumResult &- result) &- one
      least = maximum(least, (start & ~isLowest) | (isLowest & SumVector(repeating: .min)))
      greatest = minimum(
        greatest, ((start &+ room) & ~isHighest) | (isHighest & SumVector(repeating: .max)))
      product &+= step
      second &+= SumVector.scalarCount
    }
  }
}
