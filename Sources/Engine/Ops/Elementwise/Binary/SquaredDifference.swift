import OcellusKernelABI

/// SQUARED_DIFFERENCE: `(a - b)²`.
package enum SquaredDifference {
  package static let definition = Binary.definition(
    "SQUARED_DIFFERENCE", versions: 1...2, types: [.float32, .int32, .int8]
  ) { node throws(ModelError) in
    switch try node.input(0).type {
    case .int8: BinaryLoop(try ByteSquaredDifference(node))
    case .int32: BinaryLoop(PlainSquaredDifference<Int32>())
    default: BinaryLoop(PlainSquaredDifference<Float>())
    }
  }
}

private struct PlainSquaredDifference<Value: PlainArithmetic>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value {
    let difference = Value.difference(a, b)
    return .product(difference, difference)
  }

  var tuned: BinaryArithmetic? { .floats(.squaredDifference, of: Value.self) }
}

private struct ByteSquaredDifference: BinaryFunction {
  let terms: QuantizedTerms
  let multiplier: FixedPointMultiplier
  let zeroPoint: Int32

  init(_ node: NodeSpec) throws(ModelError) {
    // The most spare bits with which the square of a difference still fits in 32 bits.
    let spareBits = 7
    terms = try QuantizedTerms(of: node, spareBits: spareBits)
    let output = try node.perTensorQuantization(of: node.output(0))
    multiplier = try node.positiveMultiplier(
      terms.scale * terms.scale / Double(Float(1 << (2 * spareBits)) * output.scale))
    zeroPoint = Int32(truncatingIfNeeded: output.zeroPoint)
  }

  func callAsFunction(_ a: Int8, _ b: Int8) -> Int8 {
    let difference = terms.first(a) &- terms.second(b)
    return Int8(clamping: multiplier.scaleDown(difference &* difference) &+ zeroPoint)
  }

  var tuned: BinaryArithmetic? {
    guard let first = scaling(terms.first), let second = scaling(terms.second),
      let result = scaling(multiplier, zeroPoint: zeroPoint)
    else { return nil }
    return .quantizedSquaredDifference(
      QuantizedSquaredDifference(
        firstZeroPoint: terms.first.zeroPoint, secondZeroPoint: terms.second.zeroPoint,
        spareBits: terms.first.spareBits, first: first, second: second, result: result))
  }

  private func scaling(_ term: QuantizedTerm) -> FixedPointResult? {
    guard ElementType.int8.quantizedRange.contains(term.zeroPoint) else { return nil }
    return scaling(term.multiplier, zeroPoint: 0)
  }

  /// - Returns: `nil` for multipliers of one and above, which occur only in broken models.
  private func scaling(
    _ multiplier: FixedPointMultiplier, zeroPoint: Int32
  ) -> FixedPointResult? {
    guard multiplier.exponent <= 0 else { return nil }
    var result = FixedPointResult(
      multiplier, zeroPoint: zeroPoint, range: ElementType.int8.quantizedRange, of: .int8)
    // Squares have up to 31 bits.
    result?.isBounded = false
    return result
  }
}
