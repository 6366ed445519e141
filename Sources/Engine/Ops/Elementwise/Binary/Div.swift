import OcellusKernelABI
import OcellusModelFile

/// DIV: the quotient of two tensors, with an activation; integers are rounded towards zero.
package enum Div {
  package static let definition = Binary.definition(
    "DIV", versions: 1...2, types: [.float32, .int32, .uint8, .int8, .int16], choose: kernel)

  private static func kernel(for node: NodeSpec) throws(ModelError) -> BinaryLoop {
    let activation = try FusedActivation(node.options(BuiltinOptionsTag.div), field: 0)
    switch try node.input(0).type {
    case .float32:
      return BinaryLoop(Clamped(base: Quotient(), range: activation.floatRange))
    case .int32:
      let range = activation.integerRange(of: Int32.self)
      return BinaryLoop(Clamped(base: TruncatedQuotient(), range: range))
    case .uint8: return BinaryLoop(try QuantizedQuotient<UInt8>(node, activation))
    case .int8: return BinaryLoop(try QuantizedQuotient<Int8>(node, activation))
    default: return BinaryLoop(try QuantizedQuotient<Int16>(node, activation))
    }
  }
}

struct Quotient: BinaryFunction {
  func callAsFunction(_ a: Float, _ b: Float) -> Float { a / b }
  var tuned: BinaryArithmetic? { .floats(.divide, of: Float.self) }
}

private struct TruncatedQuotient: BinaryFunction {
  func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    a.dividedReportingOverflow(by: b).partialValue
  }

  func objection(to second: UnsafeBufferPointer<Int32>) -> String? { zeroDivisorError(in: second) }
  var mayRejectOperands: Bool { true }
  var tuned: BinaryArithmetic? { .integers(.divide, .int32) }
}

/// `a / b` on quantized numbers.
private struct QuantizedQuotient<Stored: FixedWidthInteger & TensorElement>: BinaryFunction {
  let firstZeroPoint: Int32
  let secondZeroPoint: Int32
  let multiplier: FixedPointMultiplier
  let zeroPoint: Int32
  let range: ClosedRange<Int32>

  init(_ node: NodeSpec, _ activation: FusedActivation) throws(ModelError) {
    let (first, second) = (try node.input(0), try node.input(1))
    let output = try node.output(0)
    try node.require(
      second.quantization?.isPerChannel != true, "the divisor has several scales")
    firstZeroPoint = Int32(truncatingIfNeeded: first.uniformZeroPoint)
    secondZeroPoint = Int32(truncatingIfNeeded: second.uniformZeroPoint)
    zeroPoint = Int32(truncatingIfNeeded: output.uniformZeroPoint)
    // In single precision, and zero where there is no scale, as in the official kernel.
    let ratio = Double(first.uniformScale / (second.uniformScale * output.uniformScale))
    multiplier = FixedPointMultiplier(ratio) ?? FixedPointMultiplier(fraction: 0, exponent: 0)
    range = try activation.quantizedRange(of: output, node: node)
  }

  func callAsFunction(_ a: Stored, _ b: Stored) -> Stored {
    var dividend = Int32(truncatingIfNeeded: a) &- firstZeroPoint
    var divisor = Int32(truncatingIfNeeded: b) &- secondZeroPoint
    if divisor < 0 { (dividend, divisor) = (0 &- dividend, 0 &- divisor) }
    let reciprocal = FixedPointReciprocal(of: divisor)
    // The dividend is shifted as far left as possible to keep all its bits.
    let headroom = (dividend < 0 ? ~dividend : dividend).leadingZeroBitCount - 1
    let quotient = saturatingRoundingDoublingHigh(
      dividend << Int32(headroom), reciprocal.fraction)
    let rescale = FixedPointMultiplier(
      fraction: multiplier.fraction,
      exponent: multiplier.exponent - headroom - reciprocal.exponent)
    let scaled = rescale.scaleDown(quotient)
    return Stored(truncatingIfNeeded: (scaled &+ zeroPoint).clamped(to: range))
  }

  func objection(to second: UnsafeBufferPointer<Stored>) -> String? {
    second.contains { Int32(truncatingIfNeeded: $0) == secondZeroPoint }
      ? "division by zero" : nil
  }

  var mayRejectOperands: Bool { true }
}
