package import OcellusKernelABI

extension BinaryArithmetic {
  /// Returns `first ± second` on quantized numbers, with the parameters of the reference kernel.
  ///
  /// - Returns: `nil` for zero points outside the type and for multipliers of one and above, which
  ///   occur only in broken models and which only the reference kernel takes.
  static func quantizedSum(
    _ terms: QuantizedTerms, sign: Int32, of type: ElementType,
    multiplier: FixedPointMultiplier, zeroPoint: Int32, range: ClosedRange<Int32>
  ) -> Self? {
    guard let element = QuantizedElement(type), multiplier.exponent <= 0,
      let first = QuantizedSumTerm(terms.first, sign: 1, of: type),
      let second = QuantizedSumTerm(terms.second, sign: sign, of: type),
      let result = FixedPointResult(
        multiplier, zeroPoint: zeroPoint, range: range, of: type)
    else { return nil }
    // The operand with the greater scale is multiplied by exactly one half.
    if first.isWhole {
      return .quantizedSum(
        QuantizedSum(element: element, first: first, second: second, result: result),
        swapsOperands: false)
    }
    guard second.isWhole else { return nil }
    return .quantizedSum(
      QuantizedSum(element: element, first: second, second: first, result: result),
      swapsOperands: true)
  }

  /// Returns `first · second` on quantized numbers, with the parameters of the reference kernel.
  static func quantizedProduct(
    of type: ElementType, zeroPoints: (first: Int32, second: Int32),
    multiplier: FixedPointMultiplier, zeroPoint: Int32, range: ClosedRange<Int32>
  ) -> Self? {
    guard let element = QuantizedElement(type),
      type.quantizedRange.contains(zeroPoints.first),
      type.quantizedRange.contains(zeroPoints.second),
      let result = FixedPointResult(
        multiplier, zeroPoint: zeroPoint, range: range, of: type)
    else { return nil }
    return .quantizedProduct(
      QuantizedProduct(
        element: element, firstZeroPoint: zeroPoints.first,
        secondZeroPoint: zeroPoints.second, result: result))
  }
}

extension IntegerRequantization {
  /// Returns the requantization on the tuned kernels; `nil` for types and numbers that they do not
  /// take.
  func conversion(_ node: NodeSpec) -> ElementConversion? {
    // Up to this exponent, the sum of a scaled number and a zero point fits in 32 bits.
    guard multiplier.exponent <= 13,
      let input = node.inputs[0]?.type, let source = QuantizedElement(input),
      let target = QuantizedElement(node.outputs[0].type),
      let inputZeroPoint = input.quantizedZeroPoint(inputZeroPoint),
      let outputZeroPoint = node.outputs[0].type.quantizedZeroPoint(outputZeroPoint),
      let result = FixedPointResult(
        multiplier, zeroPoint: outputZeroPoint, range: node.outputs[0].type.quantizedRange,
        of: node.outputs[0].type)
    else { return nil }
    return .requantize(source, zeroPoint: inputZeroPoint, to: target, result)
  }
}

extension FixedPointResult {
  /// - Returns: `nil` for negative multipliers and for zero points outside the type.
  package init?(
    _ multiplier: FixedPointMultiplier, zeroPoint: Int32, range: ClosedRange<Int32>,
    of type: ElementType
  ) {
    guard multiplier.fraction >= 0, (-31...31).contains(multiplier.exponent),
      type.quantizedRange.contains(zeroPoint)
    else { return nil }
    self.init(
      multiplier: multiplier.fraction, exponent: Int32(multiplier.exponent),
      range: QuantizedRange(
        zeroPoint: zeroPoint, minimum: range.lowerBound, maximum: range.upperBound),
      // Sums and products of 8-bit numbers stay below 2²⁹; the shorter arithmetic of the kernels
      // takes shifts in this range.
      isBounded: type != .int16 && (-21 ... -1).contains(multiplier.exponent))
  }

  /// Creates a scaling of 16-bit integers whose zero point is 0.
  ///
  /// - Returns: `nil` where a scaled number might not fit in 32 bits.
  init?(ofInt16 multiplier: FixedPointMultiplier, range: ClosedRange<Int32> = -32768...32767) {
    guard multiplier.exponent <= 13 else { return nil }
    self.init(multiplier, zeroPoint: 0, range: range, of: .int16)
  }
}

extension QuantizedSumTerm {
  /// Rewrites a term of the reference kernel without its 64-bit product.
  ///
  /// The reference computes
  ///     ((x - z) << s) · m, upper half, rounded: ((x - z) · m + 2^(30 - s)) >> (31 - s)
  ///
  /// which is the exact product with the upper bits of m plus a rounded product with the lower
  /// bits. A subtrahend uses -(y >> k) = ((-y - 1) >> k) + 1.
  package init?(_ term: QuantizedTerm, sign: Int32, of type: ElementType) {
    let (multiplier, zeroPoint) = (term.multiplier, term.zeroPoint)
    guard type.quantizedRange.contains(zeroPoint), multiplier.fraction >= 0,
      (-31...0).contains(multiplier.exponent)
    else { return nil }
    let bits = 31 - term.spareBits
    let factor = multiplier.fraction >> bits
    let fraction = multiplier.fraction & (1 << bits - 1)
    let rounding = 1 << (bits - 1) - zeroPoint * fraction
    self.init(
      factor: sign * factor, constant: -sign * zeroPoint * factor + (sign < 0 ? 1 : 0),
      fraction: sign * fraction, fractionConstant: sign < 0 ? -rounding - 1 : rounding,
      fractionBits: bits, shift: Int32(-multiplier.exponent))
    if isWhole {
      constant = -sign * zeroPoint * factor
    }
  }

  /// Whether the term is exact, without any rounding.
  var isWhole: Bool { fraction == 0 && shift == 0 }
}
