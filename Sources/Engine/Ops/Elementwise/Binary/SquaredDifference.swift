import OcellusKernelABI

/// SQUARED_DIFFERENCE: `(a - b)²`.
package enum SquaredDifference {
  package static let definition = Binary.definition(
    "SQUARED_DIFFERENCE", versions: 1...2, types: [.float32, .int32, .int8]
  ) { node throws(ModelError) in
    switch try node.input(0).type {
    case .int8: BinaryLoop(try QuantizedSquaredDifference(node))
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

private struct QuantizedSquaredDifference: BinaryFunction {
  let terms: QuantizedTerms
  let multiplier: FixedPointMultiplier
  let zeroPoint: Int32

  init(_ node: NodeSpec) throws(ModelError) {
    // As many as leave the square of a difference inside 32 bits.
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
}
