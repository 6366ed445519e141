package import OcellusKernelABI

extension LinearSum {
  /// Finds the shortest arithmetic that has the same results for all pairs of bytes.
  ///
  /// The factors are the ratios of the scales with as many fractional bits as fit in 32 bits, plus
  /// or minus one unit. Only pairs whose sums lie next to a step of the result are in doubt, some
  /// dozens of 65,536; each gives a lower and an upper bound of the constant. For the scales of
  /// real models, some choice of factors leaves a constant that is right for all pairs.
  ///
  /// - Returns: `nil` where there is no such constant, for example where ties are rounded away from
  ///   zero on both sides of zero.
  package init?(_ sum: QuantizedSum, _ kernels: Elementwise) {
    guard let fixedPoint = FixedPointSum(sum), let pairs = fixedPoint.pairsNextToSteps() else {
      return nil
    }
    let results = pairs.results(of: sum, kernels)
    for (first, second) in FixedPointSum.factorChanges {
      var fitted = fixedPoint.sum
      fitted.firstFactor += first
      fitted.secondFactor += second
      guard let constant = fixedPoint.constant(for: fitted, pairs, results) else { continue }
      fitted.constant = constant
      self = fitted
      return
    }
    return nil
  }
}

/// A sum of two quantized bytes as an affine function in fixed point, without the intermediate
/// roundings.
private struct FixedPointSum {
  /// The first affine function to try; its constant is the middle of the range that is searched.
  let sum: LinearSum
  /// The greatest distance of a constant from the middle of that range.
  private let constantReach: Int
  /// The distance from a step beyond which the sum and all affine functions that are tried agree.
  private let margin: Int

  /// The units that are added to the factors, the most promising first.
  static let factorChanges: [(Int32, Int32)] = [
    (0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1),
  ]

  /// - Returns: `nil` for sums that are too great or too coarse for this form.
  init?(_ sum: QuantizedSum) {
    guard sum.element != .int16, sum.result.exponent <= 0 else { return nil }
    let unit = sum.result.unit
    let ratios = (sum.first.ratio * unit, sum.second.ratio * unit)
    let greatest = 256 * (abs(ratios.0) + abs(ratios.1) + 1)
    guard greatest < 0x1p20 else { return nil }
    // Twice the greatest result fits, which leaves space for any zero point.
    let shift = 30 - Int(greatest.exponent)
    let one = Double(1 << shift)
    let range = sum.result.range
    let constant = (sum.first.offset + sum.second.offset) * unit + Double(range.zeroPoint) + 0.5
    self.sum = LinearSum(
      element: sum.element, firstFactor: Int32((ratios.0 * one).rounded()),
      secondFactor: Int32((ratios.1 * one).rounded()), constant: Int32((constant * one).rounded()),
      shift: Int32(shift), minimum: range.minimum, maximum: range.maximum)
    let greatestElements = 2 * 255
    // Covers the effect of changing both factors, on either side, and half as much again.
    constantReach = greatestElements * 3 / 2
    let changes = greatestElements + constantReach
    // The factors are off by half a unit, the constant by one. The terms of the sum are off by one
    // unit of the sum, and the first of the result's two roundings by one of its own units.
    let roundings = (unit + sum.result.firstRounding) * one
    margin = max(changes, greatestElements / 2 + Int(roundings) + 2)
    guard margin < 1 << (shift - 3) else { return nil }
  }

  private var mask: Int { 1 << Int(sum.shift) - 1 }

  private var elements: Range<Int> { sum.element == .int8 ? -128..<128 : 0..<256 }

  /// Returns the pairs whose sums are less than the margin away from a step.
  ///
  /// - Returns: `nil` for so many pairs that most are ties, for which no constant fits.
  func pairsNextToSteps() -> BytePairs? {
    let seconds = ProductBuckets(factor: Int(sum.secondFactor), elements, bits: Int(sum.shift))
    var pairs = BytePairs()
    for first in elements {
      let start = first * Int(sum.firstFactor) + Int(sum.constant) + margin
      seconds.forEach(from: -start & mask, count: 2 * margin) { second, product in
        if (start + product) & mask < 2 * margin { pairs.append(first, second) }
      }
      if pairs.count > BytePairs.limit { return nil }
    }
    return pairs
  }

  /// Returns the constant with which an affine function gives the expected results of all pairs;
  /// `nil` where there is none.
  func constant(for candidate: LinearSum, _ pairs: BytePairs, _ results: [UInt8]) -> Int32? {
    var lower = Int(sum.constant) - constantReach
    var upper = Int(sum.constant) + constantReach
    for index in 0..<pairs.count where lower <= upper {
      let (first, second) = pairs[index, isSigned: candidate.element == .int8]
      let product = first * Int(candidate.firstFactor) + second * Int(candidate.secondFactor)
      let result =
        candidate.element == .int8 ? Int(Int8(bitPattern: results[index])) : Int(results[index])
      // Beyond the range, results are clamped and give no bound.
      if result > candidate.minimum { lower = max(lower, result << candidate.shift - product) }
      if result < candidate.maximum {
        upper = min(upper, (result + 1) << candidate.shift - 1 - product)
      }
    }
    return lower <= upper ? Int32((lower + upper) >> 1) : nil
  }
}

/// The multiples of a factor, in buckets by their remainder modulo a power of two.
private struct ProductBuckets {
  private let bits: Int
  /// The elements and their multiples, bucket after bucket.
  private var entries: [(element: Int, product: Int)]
  /// The start of each of the 256 buckets, and the end of the last.
  private var starts: [Int]

  init(factor: Int, _ elements: Range<Int>, bits: Int) {
    self.bits = bits
    let mask = 1 << bits - 1
    starts = [Int](repeating: 0, count: 257)
    for element in elements { starts[(element * factor & mask) >> (bits - 8) + 1] += 1 }
    for bucket in 0..<256 { starts[bucket + 1] += starts[bucket] }
    // The array has the labelled tuple type, since converting one checks every element at run time.
    entries = [(element: Int, product: Int)](repeating: (0, 0), count: elements.count)
    var ends = starts
    for element in elements {
      let product = element * factor & mask
      let bucket = product >> (bits - 8)
      entries[ends[bucket]] = (element, product)
      ends[bucket] += 1
    }
  }

  /// Calls `body` for the buckets that a range of remainders overlaps; the range may wrap around.
  func forEach(from first: Int, count: Int, _ body: (_ element: Int, _ product: Int) -> Void) {
    for bucket in first >> (bits - 8)...(first + count - 1) >> (bits - 8) {
      for entry in entries[starts[bucket & 255]..<starts[bucket & 255 + 1]] {
        body(entry.element, entry.product)
      }
    }
  }
}

/// Pairs of bytes.
private struct BytePairs {
  /// The greatest number of pairs for which the search is worthwhile.
  static var limit: Int { 4096 }

  private var firsts: [UInt8] = []
  private var seconds: [UInt8] = []

  var count: Int { firsts.count }

  mutating func append(_ first: Int, _ second: Int) {
    firsts.append(UInt8(truncatingIfNeeded: first))
    seconds.append(UInt8(truncatingIfNeeded: second))
  }

  subscript(index: Int, isSigned isSigned: Bool) -> (first: Int, second: Int) {
    isSigned
      ? (Int(Int8(bitPattern: firsts[index])), Int(Int8(bitPattern: seconds[index])))
      : (Int(firsts[index]), Int(seconds[index]))
  }

  /// Computes the exact sums of the pairs.
  func results(of sum: QuantizedSum, _ kernels: Elementwise) -> [UInt8] {
    // All empty arrays share one buffer, whose count several threads would write at once.
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { results, initialized in
      initialized = count
      firsts.withUnsafeBytes { firsts in
        seconds.withUnsafeBytes { seconds in
          guard let first = firsts.baseAddress, let second = seconds.baseAddress,
            let output = results.baseAddress
          else { return }
          kernels.quantizedSum(
            sum,
            BinaryRows(
              first: first, second: second, output: UnsafeMutableRawPointer(output),
              rowLength: count))
        }
      }
    }
  }
}

extension FixedPointResult {
  /// The value of one unit of the unscaled number, in units of the result.
  fileprivate var unit: Double {
    Double(multiplier) * Double(sign: .plus, exponent: Int(exponent) - 31, significand: 1)
  }

  /// The unit of the first rounding, where the product is rounded, shifted and rounded again.
  fileprivate var firstRounding: Double {
    exponent < 0 ? Double(sign: .plus, exponent: Int(exponent), significand: 1) : 0
  }
}

extension QuantizedSumTerm {
  /// The value of one unit of the operand, in units of the sum.
  fileprivate var ratio: Double {
    (Double(factor) + Double(fraction) / Double(1 << Int(fractionBits))) / Double(1 << Int(shift))
  }

  /// The value of the operand's stored zero, in units of the sum.
  fileprivate var offset: Double {
    (Double(constant) + Double(fractionConstant) / Double(1 << Int(fractionBits)))
      / Double(1 << Int(shift))
  }
}
