import OcellusKernelABI

// Operators on elements of floats that XNNPACK computes otherwise than the reference kernels.

extension DelegatedOperators {
  /// Returns the operation of a node on elements of floats; `nil` where XNNPACK's bits are the
  /// reference kernel's, or the tuned kernel's for these numerics.
  static func operationOfFloats(
    _ node: NodeSpec, _ processor: LiteRTProcessor
  ) throws(ModelError) -> (any Operator)? {
    guard try node.input(0).type == .float32 else { return nil }
    switch node.operatorName {
    case "ADD": return try clamped(Sum<Float>(), node, DelegatedOptions.add)
    case "SUB": return try clamped(Difference<Float>(), node, DelegatedOptions.sub)
    case "MUL": return try clamped(Product<Float>(), node, DelegatedOptions.mul)
    case "DIV": return try clamped(Quotient(), node, DelegatedOptions.div)
    // Zero becomes zero without a sign, but on Arm.
    case "NEG" where processor != .neon: return try unary(node) { 0 - $0 }
    case "SQRT":
      return try Unary(node) { _ in DelegatedRoots.squareRoots(processor) }
    case "RSQRT":
      return try Unary(node) { _ in DelegatedRoots.reciprocalSquareRoots(processor) }
    default: return nil
    }
  }

  private static func clamped<Function: BinaryFunction>(
    _ function: Function, _ node: NodeSpec, _ optionsTag: Int
  ) throws(ModelError) -> any Operator where Function.Operand == Float, Function.Result == Float {
    let activation = try FusedActivation(node.options(optionsTag), field: 0)
    let range = activation.floatRange.keepingInfinities
    return try Binary(BinaryLoop(Clamped(base: function, range: range)), node: node)
  }

  private static func unary(
    _ node: NodeSpec, _ function: @escaping @Sendable (Float) -> Float
  ) throws(ModelError) -> any Operator {
    try Unary(node) { _ in .elements(function) }
  }
}
