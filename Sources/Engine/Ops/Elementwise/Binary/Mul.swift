import OcellusModelFile

/// MUL: the product of two tensors, with an activation.
package enum Mul {
  package static let definition = Binary.definition(
    "MUL", versions: 1...8,
    types: [
      .float32, .float16, .int32, .uint32, .int64, .complex64, .uint8, .int8, .int16,
    ], resultType: nil, choose: kernel)

  private static func kernel(for node: NodeSpec) throws(ModelError) -> BinaryLoop {
    let activation = try FusedActivation(node.options(BuiltinOptionsTag.mul), field: 0)
    let (input, output) = (try node.input(0), try node.output(0))
    switch (input.type, output.type) {
    case (.float32, _): return plain(Float.self, activation)
    case (.float16, _): return plain(Float16.self, activation)
    case (.int32, _): return plain(Int32.self, activation)
    case (.uint32, _): return plain(UInt32.self, activation)
    case (.int64, _): return plain(Int64.self, activation)
    case (.complex64, _):
      try node.require(activation == .none, "complex numbers take no activation")
      return BinaryLoop(ComplexProduct())
    case (.uint8, _): return BinaryLoop(try AffineProduct<UInt8>(node, activation))
    case (.int8, _): return BinaryLoop(try AffineProduct<Int8>(node, activation))
    case (_, .uint8): return BinaryLoop(try FractionProduct<UInt8>(node, activation))
    case (_, .int8): return BinaryLoop(try FractionProduct<Int8>(node, activation))
    default:
      if output.quantization == nil { return plain(Int16.self, activation) }
      try node.requireZeroPointsOfZero()
      return BinaryLoop(try AffineProduct<Int16>(node, activation))
    }
  }

  private static func plain<Value: PlainArithmetic>(
    _: Value.Type, _ activation: FusedActivation
  ) -> BinaryLoop {
    BinaryLoop(Clamped(base: Product<Value>(), range: Value.range(of: activation)))
  }
}

private struct ComplexProduct: BinaryFunction {
  func callAsFunction(_ a: Complex<Float>, _ b: Complex<Float>) -> Complex<Float> { a * b }
}

/// `a * b` on quantized numbers.
private struct AffineProduct<Stored: FixedWidthInteger & TensorElement>: BinaryFunction {
  let firstZeroPoint: Int32
  let secondZeroPoint: Int32
  let multiplier: FixedPointMultiplier
  let zeroPoint: Int32
  let range: ClosedRange<Int32>

  init(_ node: NodeSpec, _ activation: FusedActivation) throws(ModelError) {
    let (first, second) = (try node.input(0), try node.input(1))
    let output = try node.output(0)
    try node.require(output, Stored.elementType)
    firstZeroPoint = Int32(truncatingIfNeeded: first.uniformZeroPoint)
    secondZeroPoint = Int32(truncatingIfNeeded: second.uniformZeroPoint)
    zeroPoint = Int32(truncatingIfNeeded: output.uniformZeroPoint)
    // In single precision, and zero where there is no scale, as in the official kernel.
    let ratio = Double(first.uniformScale * second.uniformScale / output.uniformScale)
    multiplier = FixedPointMultiplier(ratio) ?? FixedPointMultiplier(fraction: 0, exponent: 0)
    range = try activation.quantizedRange(of: output, node: node)
  }

  func callAsFunction(_ a: Stored, _ b: Stored) -> Stored {
    let product =
      (Int32(truncatingIfNeeded: a) &- firstZeroPoint)
      &* (Int32(truncatingIfNeeded: b) &- secondZeroPoint)
    return Stored(
      truncatingIfNeeded: (multiplier.scale(product) &+ zeroPoint).clamped(to: range))
  }

  var tuned: BinaryArithmetic? {
    .quantizedProduct(
      of: Stored.elementType, zeroPoints: (firstZeroPoint, secondZeroPoint),
      multiplier: multiplier, zeroPoint: zeroPoint, range: range)
  }
}

/// `a * b` on 16-bit fractions of one, rounded to 8 bits in units of 1/128; scales are ignored.
private struct FractionProduct<Stored: FixedWidthInteger & TensorElement>: BinaryFunction {
  let zeroPoint: Int32
  let range: ClosedRange<Int16>

  init(_ node: NodeSpec, _ activation: FusedActivation) throws(ModelError) {
    let output = try node.output(0)
    zeroPoint = Int32(truncatingIfNeeded: output.uniformZeroPoint)
    let stored = try activation.quantizedRange(of: output, node: node)
    let low = Int16(truncatingIfNeeded: stored.lowerBound &- zeroPoint)
    let high = Int16(truncatingIfNeeded: stored.upperBound &- zeroPoint)
    try node.require(low <= high, "the zero point \(zeroPoint) of the output is out of range")
    range = low...high
  }

  func callAsFunction(_ a: Int16, _ b: Int16) -> Stored {
    let product = roundingShiftRight(saturatingRoundingDoublingHigh(a, b), by: 8)
    return Stored(truncatingIfNeeded: Int32(product.clamped(to: range)) &+ zeroPoint)
  }
}
