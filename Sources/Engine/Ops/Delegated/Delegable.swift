import OcellusKernelABI

/// An operator that LiteRT's delegate XNNPACK computes in another arithmetic.
protocol Delegable: Operator {
  /// Returns the operator in XNNPACK's arithmetic on a processor.
  func delegated(to processor: LiteRTProcessor) -> Self
}

/// The operations of nodes that XNNPACK takes.
enum DelegatedOperators {
  /// Returns the operation of a node in XNNPACK's arithmetic: its own one where that gives the same
  /// bits, or where only the plan has to know.
  static func operation(
    of node: Node, on processor: LiteRTProcessor
  ) throws(ModelError) -> any Operator {
    if let operation = node.operation as? any Delegable {
      return operation.delegated(to: processor)
    }
    if let operation = try (node.operation as? Reduction)?.delegated(node.spec) {
      return operation
    }
    if let operation = try operationOfElements(node.spec, processor) { return operation }
    return try operationOfFloats(node.spec, processor) ?? node.operation
  }

  private static func product<Stored: FixedWidthInteger & TensorElement, Scaling: ProductScaling>(
    _ node: NodeSpec, of _: Stored.Type, _: Scaling.Type
  ) throws(ModelError) -> any Operator {
    try Binary(BinaryLoop(DelegatedProduct<Stored, Scaling>(node)), node: node)
  }

  private static func operationOfElements(
    _ node: NodeSpec, _ processor: LiteRTProcessor
  ) throws(ModelError) -> (any Operator)? {
    switch (node.operatorName, try node.input(0).type) {
    case ("ADD", .int8): try Binary(BinaryLoop(DelegatedSum<Int8>(node, sign: 1)), node: node)
    case ("ADD", .uint8): try Binary(BinaryLoop(DelegatedSum<UInt8>(node, sign: 1)), node: node)
    case ("SUB", .int8): try Binary(BinaryLoop(DelegatedSum<Int8>(node, sign: -1)), node: node)
    case ("SUB", .uint8): try Binary(BinaryLoop(DelegatedSum<UInt8>(node, sign: -1)), node: node)
    case ("MUL", .int8) where processor == .neon:
      try product(node, of: Int8.self, HalfUpFactor.self)
    case ("MUL", .uint8) where processor == .neon:
      try product(node, of: UInt8.self, HalfUpFactor.self)
    case ("MUL", .int8): try product(node, of: Int8.self, TiesToEvenScaling.self)
    case ("MUL", .uint8): try product(node, of: UInt8.self, TiesToEvenScaling.self)
    case ("LEAKY_RELU", .int8), ("LEAKY_RELU", .uint8):
      try Unary(node, DelegatedTables.leakyRectifier)
    case ("LOGISTIC", .int8), ("LOGISTIC", .uint8): try Unary(node, DelegatedTables.logistic)
    case ("TANH", .int8), ("TANH", .uint8): try Unary(node, DelegatedTables.tanh)
    case ("ELU", .int8): try Unary(node, DelegatedTables.exponentialLinear)
    case ("QUANTIZE", .int8), ("QUANTIZE", .uint8): try Unary(node, DelegatedTables.requantization)
    case ("QUANTIZE", .float32): try DelegatedQuantize(node)
    default: nil
    }
  }
}
