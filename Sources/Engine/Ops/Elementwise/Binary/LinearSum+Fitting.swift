import OcellusKernelABI

extension LinearSum {
  /// Finds the shortest arithmetic with the same results for all pairs of bytes.
  ///
  /// The factors are the ratios of the scales with as many fractional bits as 32 bits have room
  /// for, give or take one unit. Each pair then says how great the constant may be and how small
  /// (`Elementwise.constantBounds`); for scales as models have them some choice leaves a constant
  /// that is right for all pairs.
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
    let results = Self.results(of: sum, kernels)
    for (first, second) in [
      (0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1),
    ] {
      var fitted = LinearSum(
        element: sum.element, firstFactor: Int32(truncatingIfNeeded: factors.0 + first),
        secondFactor: Int32(truncatingIfNeeded: factors.1 + second), constant: 0,
        shift: Int32(shift), minimum: sum.result.range.minimum, maximum: sum.result.range.maximum)
      let bounds = results.withUnsafeBufferPointer { results in
        results.baseAddress.map { kernels.constantBounds(fitted, $0) }
      }
      // Where all results are clamped on one side nothing bounds the constant: no such model is
      // worth the question whether sums with it overflow.
      guard let bounds, bounds.least > .min, bounds.greatest < .max,
        bounds.least <= bounds.greatest
      else { continue }
      fitted.constant = Int32((Int(bounds.least) + Int(bounds.greatest)) >> 1)
      self = fitted
      return
    }
    return nil
  }

  /// The exact sums of all pairs of bytes: of the first operand's lowest number with all of the
  /// second operand, then of the next one.
  private static func results(of sum: QuantizedSum, _ kernels: Elementwise) -> [UInt8] {
    let lowest = sum.element == .int8 ? -128 : 0
    let numbers = (0..<256).map { UInt8(truncatingIfNeeded: $0 + lowest) }
    return [UInt8](unsafeUninitializedCapacity: 65536) { results, count in
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
