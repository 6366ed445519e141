package import OcellusKernelABI

/// A function of two operands that there are kernels for.
package enum BinaryArithmetic: Sendable {
  case floats(BinaryFloatFunction, FloatRange)
  case quantizedSum(QuantizedSum, swapsOperands: Bool)
  case quantizedProduct(QuantizedProduct)
  case quantizedRectification(QuantizedRectification)

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
    if let (table, operand) = table(context) {
      return .lookUp(table, operand: operand, context)
    }
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

  /// What 8-bit arithmetic with one constant element makes of each byte of the other operand, and
  /// which operand that is.
  private func table(_ context: PlanContext) -> (ByteTable, operand: Int)? {
    let result = context.outputShapes[0]
    // Fewer results are made as fast as a table is loaded.
    guard context.node.outputs[0].type.byteWidth == 1, result.elementCount >= 256,
      let constant = (0..<2).first(where: {
        context.constants[$0] != nil && context.inputShapes[$0]?.elementCount == 1
      }),
      context.inputShapes[1 - constant] == result,
      let element = context.constants[constant]?.values(UInt8.self).first
    else { return nil }
    let entries = [UInt8](unsafeUninitializedCapacity: 256) { entries, count in
      count = 256
      let arguments = (0...255).map { UInt8($0) }
      arguments.withUnsafeBytes { arguments in
        withUnsafeBytes(of: element) { element in
          guard let numbers = arguments.baseAddress, let scalar = element.baseAddress,
            let output = entries.baseAddress
          else { return }
          let scalarIsFirst = (constant == 0) != swapsOperands
          kernel(context.kernels.elementwise)(
            BinaryRows(
              first: scalarIsFirst ? scalar : numbers, second: scalarIsFirst ? numbers : scalar,
              output: output, rowLength: 256, firstIsScalar: scalarIsFirst,
              secondIsScalar: !scalarIsFirst))
        }
      }
    }
    return (ByteTable(entries: entries), 1 - constant)
  }

  private func kernel(_ context: PlanContext) -> @Sendable (BinaryRows) -> Void {
    let kernels = context.kernels.elementwise
    if case .quantizedSum(let sum, _) = self, let linear = linearSum(sum, context) {
      return { [run = kernels.linearSum] rows in run(linear, rows) }
    }
    return kernel(kernels)
  }

  private func kernel(_ kernels: Elementwise) -> @Sendable (BinaryRows) -> Void {
    switch self {
    case .floats(let function, let range):
      return { [run = kernels.floats] rows in run(function, range, rows) }
    case .quantizedSum(let sum, _):
      return { [run = kernels.quantizedSum] rows in run(sum, rows) }
    case .quantizedProduct(let product):
      return { [run = kernels.quantizedProduct] rows in run(product, rows) }
    case .quantizedRectification(let rectification):
      return { [run = kernels.quantizedRectification] rows in run(rectification, rows) }
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
