import OcellusKernelABI

extension LinearSum {
  /// Finds the shortest arithmetic with the same results for all pairs of bytes.
  ///
  /// The factors are the ratios of the scales with as many fractional bits as 32 bits have room
  /// for, give or take one unit. Each pair then says how great the constant may be and how small;
  /// for scales as models have them some choice leaves a constant that is right for all pairs.
  ///
  /// - Returns: `nil` where there is none, such as where halves are to be rounded away from zero
  ///   on both sides of it.
  init?(_ sum: QuantizedSum, _ kernels: Elementwise) {
    guard sum.element != .int16 else { return nil }
    let unit = sum.result.unit
    let ratios = (sum.first.ratio * unit, sum.second.ratio * unit)
    let greatest = 256 * (abs(ratios.0) + abs(ratios.1) + 1)
    guard greatest < 0x1p20 else { return nil }
    // Twice the greatest result fits, so that zero points may lie anywhere.
    let shift = 30 - Int(greatest.exponent)
    let factors = (
      Int((ratios.0 * Double(1 << shift)).rounded()),
      Int((ratios.1 * Double(1 << shift)).rounded())
    )
    let pairs = BytePairs(sum, kernels)
    for (first, second) in [
      (0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1),
    ] {
      let (a, b) = (factors.0 + first, factors.1 + second)
      guard let constant = pairs.constant(factors: (a, b), shift: shift) else { continue }
      self.init(
        element: sum.element, firstFactor: Int32(truncatingIfNeeded: a),
        secondFactor: Int32(truncatingIfNeeded: b),
        constant: Int32(truncatingIfNeeded: constant), shift: Int32(shift),
        minimum: sum.result.range.minimum, maximum: sum.result.range.maximum)
      return
    }
    return nil
  }
}

/// The exact sums of all pairs of bytes.
private struct BytePairs {
  /// The sums of the first operand's lowest number with all of the second operand, then of the
  /// next one.
  private let sums: [UInt8]
  private let element: QuantizedElement
  private let range: QuantizedRange

  init(_ sum: QuantizedSum, _ kernels: Elementwise) {
    element = sum.element
    range = sum.result.range
    let lowest = sum.element == .int8 ? -128 : 0
    let numbers = (0..<256).map { UInt8(truncatingIfNeeded: $0 + lowest) }
    sums = [UInt8](unsafeUninitializedCapacity: 65536) { results, count in
      count = 65536
      numbers.withUnsafeBytes { numbers in
        guard let numbers = numbers.baseAddress, let results = results.baseAddress
        else { return }
        kernels.quantizedSum(
          sum,
          BinaryRows(
            first: numbers, second: numbers, output: UnsafeMutableRawPointer(results),
            rowLength: 256, rowCount: 256, firstStride: 1, firstIsScalar: true))
      }
    }
  }

  /// The constant in the middle of those that give all sums; `nil` where there is none.
  func constant(factors: (Int, Int), shift: Int) -> Int? {
    let lowest = element == .int8 ? -128 : 0
    let flip: UInt8 = element == .int8 ? 0x80 : 0
    var least = -1 << 48, greatest = 1 << 48
    sums.withUnsafeBufferPointer { sums in
      for index in 0..<256 where least <= greatest {
        // In leaps, so that factors that are no good are found out early.
        let first = index * 149 & 255
        var product = (first + lowest) * factors.0 + lowest * factors.1
        for second in 0..<256 {
          let sum = Int(sums[first << 8 | second] ^ flip) + lowest
          let start = sum << shift - product
          // Beyond the range, sums may be anything.
          if sum > range.minimum { least = max(least, start) }
          if sum < range.maximum { greatest = min(greatest, start + (1 << shift - 1)) }
          product += factors.1
        }
      }
    }
    return least <= greatest ? least + (greatest - least) / 2 : nil
  }
}

extension FixedPointResult {
  /// What a unit of the number to scale is worth in the result.
  fileprivate var unit: Double {
    Double(multiplier) * Double(sign: .plus, exponent: Int(exponent) - 31, significand: 1)
  }
}

extension QuantizedSumTerm {
  /// What a unit of the operand is worth in the sum.
  fileprivate var ratio: Double {
    let product = Double(factor) + Double(fraction) / Double(1 << Int(fractionBits))
    return product / Double(1 << Int(shift))
  }
}
