package import OcellusKernelABI

/// A function of two operands that there are kernels for.
package enum BinaryArithmetic: Sendable {
  case floats(BinaryFloatFunction, FloatRange)
  case quantizedSum(QuantizedSum, swapsOperands: Bool)
  case quantizedProduct(QuantizedProduct)

  /// A function of `Float`; `nil` for other types.
  static func floats<Value>(_ function: BinaryFloatFunction, of _: Value.Type) -> Self? {
    Value.self == Float.self ? .floats(function, FloatRange()) : nil
  }

  /// The same function with results clamped, once more perhaps; `nil` for integers.
  func clamped(to range: ClosedRange<Float>) -> Self? {
    guard case .floats(let function, let before) = self else { return nil }
    let both = (before.lowerBound...before.upperBound).clamped(to: range)
    return .floats(function, FloatRange(lowerBound: both.lowerBound, upperBound: both.upperBound))
  }

  /// A step for a node's first two operands, or `nil` for shapes that take too many calls.
  func step(_ context: PlanContext) -> Step? {
    let type = context.node.outputs[0].type
    let positions = swapsOperands ? (1, 0) : (0, 1)
    guard let first = context.inputShapes[positions.0],
      let second = context.inputShapes[positions.1], let elementBytes = type.byteWidth,
      let calls = BroadcastCalls(
        first, second, to: context.outputShapes[0], elementBytes: elementBytes,
        threadCount: context.threadCount)
    else { return nil }
    return calls.step(
      "rows \(type.name) \(context.kernels.name)", first: positions.0, second: positions.1,
      kernel(context))
  }

  private var swapsOperands: Bool {
    if case .quantizedSum(_, let swapsOperands) = self { swapsOperands } else { false }
  }

  private func kernel(_ context: PlanContext) -> @Sendable (BinaryRows) -> Void {
    let kernels = context.kernels.elementwise
    switch self {
    case .floats(let function, let range):
      return { [run = kernels.floats] rows in run(function, range, rows) }
    case .quantizedSum(let sum, _):
      if let linear = linearSum(sum, context) {
        return { [run = kernels.linearSum] rows in run(linear, rows) }
      }
      return { [run = kernels.quantizedSum] rows in run(sum, rows) }
    case .quantizedProduct(let product):
      return { [run = kernels.quantizedProduct] rows in run(product, rows) }
    }
  }

  /// The shorter arithmetic where there is some, for results that are worth the search.
  private func linearSum(_ sum: QuantizedSum, _ context: PlanContext) -> LinearSum? {
    guard context.outputShapes[0].elementCount >= 1 << 14 else { return nil }
    let block = context.packedWeights(
      "linear sum", byteCount: MemoryLayout<LinearSum?>.size, isReadWhilePlanning: true
    ) {
      $0.storeBytes(of: LinearSum(sum, context.kernels.elementwise), as: LinearSum?.self)
    }
    return block.base.load(as: LinearSum?.self)
  }
}
