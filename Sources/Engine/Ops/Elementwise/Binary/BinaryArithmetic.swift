package import OcellusKernelABI

/// A function of two operands for which there are tuned kernels.
package enum BinaryArithmetic: Sendable {
  case floats(BinaryFloatFunction, FloatRange)
  case integers(BinaryIntegerFunction, PlainElement)
  case comparison(Relation, isNegated: Bool, PlainElement, swapsOperands: Bool)
  case quantizedSum(QuantizedSum, swapsOperands: Bool)
  case linearSum(LinearSum)
  case quantizedProduct(QuantizedProduct)
  case quantizedSquaredDifference(QuantizedSquaredDifference)
  case quantizedRectification(QuantizedRectification)

  /// Returns a function of `Float`; `nil` for other types.
  static func floats<Value>(_ function: BinaryFloatFunction, of _: Value.Type) -> Self? {
    Value.self == Float.self ? .floats(function, FloatRange()) : nil
  }

  /// Returns a function of `Float` or the corresponding integer function; `nil` for types without
  /// kernels.
  static func floats<Value: TensorElement>(
    _ function: BinaryFloatFunction, orIntegers other: BinaryIntegerFunction, of _: Value.Type
  ) -> Self? {
    switch PlainElement(Value.elementType) {
    case .float32: .floats(function, FloatRange())
    case let element? where element.byteCount >= 4 || other == .maximum || other == .minimum:
      .integers(other, element)
    default: nil
    }
  }

  /// Returns the function with its results clamped to a second range; `nil` for integers.
  func clamped(to range: ClosedRange<Float>) -> Self? {
    guard case .floats(let function, let before) = self else { return nil }
    let both = (before.lowerBound...before.upperBound).clamped(to: range)
    return .floats(function, FloatRange(lowerBound: both.lowerBound, upperBound: both.upperBound))
  }

  /// Returns a step for a node's first two operands, or `nil` for shapes that take too many kernel
  /// calls.
  func step(_ context: PlanContext) -> Step? {
    if let step = lookUp(context) ?? sigmoidLinear(context) { return step }
    let type = context.node.outputs[0].type
    let positions = swapsOperands ? (1, 0) : (0, 1)
    // The scalar loops finish so few elements before a kernel call would begin.
    if isOfStoredNumbers && context.outputShapes[0].elementCount < 16 { return nil }
    guard let first = context.inputShapes[positions.0],
      let second = context.inputShapes[positions.1], let operandType = context.node.inputs[0]?.type,
      let elementBytes = operandType.byteWidth, let resultBytes = type.byteWidth,
      let calls = BroadcastCalls(
        first, second, to: context.outputShapes[0], elementBytes: elementBytes,
        resultBytes: resultBytes, threadCount: context.threadCount)
    else { return nil }
    return calls.step(
      "rows \(operandType.name) \(context.kernels.name)", first: positions.0, second: positions.1,
      kernel(context))
  }

  private var swapsOperands: Bool {
    switch self {
    case .quantizedSum(_, let swapsOperands): swapsOperands
    case .comparison(_, _, _, let swapsOperands): swapsOperands
    default: false
    }
  }

  private var isOfStoredNumbers: Bool {
    switch self {
    case .integers, .comparison: true
    default: false
    }
  }

  // MARK: The SiLU function

  /// Multiplies floats by their own logistic function in one fused step.
  private func sigmoidLinear(_ context: PlanContext) -> Step? {
    guard case .floats(.multiply, .finite) = self else { return nil }
    for operand in 0..<2 {
      guard case .logistic = functionOfOther(operand, context)?.tuned else { continue }
      return Step.floats(.sigmoidLinear(.fast), context)?.ofOneTensor(fusing: operand, bytes: 4)
    }
    return nil
  }

  // MARK: Tables of 8-bit arithmetic

  /// An operand of a table: one element per byte value, or one for all of them.
  private struct TableOperand {
    var bytes: [UInt8]
    var isScalar: Bool { bytes.count == 1 }

    static let everyByte = TableOperand(bytes: (0...255).map { UInt8($0) })
  }

  /// Replaces arithmetic on bytes by a table look-up where all results depend on one operand.
  private func lookUp(_ context: PlanContext) -> Step? {
    let result = context.outputShapes[0]
    // For fewer than 256 results, arithmetic takes no longer than loading the table.
    guard context.node.outputs[0].type.byteWidth == 1, context.node.inputs[0]?.type.byteWidth == 1,
      result.elementCount >= 256
    else {
      return nil
    }
    for operand in 0..<2 where context.inputShapes[operand] == result {
      let other = 1 - operand
      if let constant = constantElement(other, context) {
        return .lookUp(
          table([operand: .everyByte, other: constant], context), operand: operand, context)
      }
      if let mapped = mappedOperand(other, context) {
        return Step.lookUp(
          table([operand: .everyByte, other: mapped], context), operand: operand, context
        )?.ofOneTensor(fusing: other, bytes: 1)
      }
    }
    return nil
  }

  private func constantElement(_ operand: Int, _ context: PlanContext) -> TableOperand? {
    guard context.inputShapes[operand]?.elementCount == 1,
      let element = context.constants[operand]?.values(UInt8.self).first
    else { return nil }
    return TableOperand(bytes: [element])
  }

  /// Returns the other operand as a table of the byte, for `x · f(x)` as in the SiLU function.
  private func mappedOperand(_ operand: Int, _ context: PlanContext) -> TableOperand? {
    guard let loop = functionOfOther(operand, context), case .table(let table) = loop.mapping,
      loop.domain == nil
    else { return nil }
    return TableOperand(bytes: table.entries)
  }

  /// Returns the function that computes an operand from the other operand, if there is one.
  private func functionOfOther(_ operand: Int, _ context: PlanContext) -> ElementLoop? {
    guard let source = context.source(of: operand), let unary = source.operation as? Unary,
      let argument = source.context.node.inputs[0]?.index,
      argument == context.node.inputs[1 - operand]?.index
    else { return nil }
    return unary.loop
  }

  /// Computes the results for each byte value on which both operands depend.
  private func table(_ operands: [Int: TableOperand], _ context: PlanContext) -> ByteTable {
    let (first, second) = swapsOperands ? (operands[1], operands[0]) : (operands[0], operands[1])
    guard let first, let second else { preconditionFailure("a table of two operands") }
    return ByteTable(
      entries: [UInt8](unsafeUninitializedCapacity: 256) { entries, count in
        count = 256
        first.bytes.withUnsafeBytes { firstBytes in
          second.bytes.withUnsafeBytes { secondBytes in
            guard let a = firstBytes.baseAddress, let b = secondBytes.baseAddress,
              let output = entries.baseAddress
            else { return }
            kernel(context.kernels.elementwise)(
              BinaryRows(
                first: a, second: b, output: output, rowLength: 256,
                firstIsScalar: first.isScalar, secondIsScalar: second.isScalar))
          }
        }
      })
  }

  /// Smaller results take a fraction of a microsecond either way; the search would take longer.
  private static let minimumCountForSearch = 512

  private func kernel(_ context: PlanContext) -> @Sendable (BinaryRows) -> Void {
    let kernels = context.kernels.elementwise
    if context.outputShapes[0].elementCount < Self.minimumCountForSearch { return kernel(kernels) }
    if case .quantizedSum(let sum, _) = self, let linear = LinearSum(sum, kernels) {
      return { [run = kernels.linearSum] rows in run(linear, rows) }
    }
    return inFloats(kernels, context.node.outputs[0].type.quantizedRange).kernel(kernels)
  }

  /// Returns the same function with quantized products scaled in floats, where that is exact.
  private func inFloats(_ kernels: Elementwise, _ elements: ClosedRange<Int32>) -> Self {
    switch self {
    case .quantizedProduct(let product) where product.result.inFloats != nil: return self
    case .quantizedProduct(var product) where product.element != .int16:
      let largest =
        elements.furthest(from: product.firstZeroPoint)
        * elements.furthest(from: product.secondZeroPoint)
      product.result.inFloats = kernels.floatScaling(product.result, largest)
      return .quantizedProduct(product)
    case .quantizedRectification(var rectification):
      let furthest = elements.furthest(from: rectification.zeroPoint)
      rectification.kept.inFloats = kernels.floatScaling(rectification.kept, furthest)
      rectification.sloped.inFloats = kernels.floatScaling(
        rectification.sloped, furthest * elements.furthest(from: rectification.slopeZeroPoint))
      return .quantizedRectification(rectification)
    default: return self
    }
  }

  private func kernel(_ kernels: Elementwise) -> @Sendable (BinaryRows) -> Void {
    switch self {
    case .floats(let function, let range):
      return { [run = kernels.floats] rows in run(function, range, rows) }
    case .integers(let function, let element):
      return { [run = kernels.integers] rows in run(function, element, rows) }
    case .comparison(let relation, let isNegated, let element, _):
      return { [run = kernels.comparisons] rows in run(relation, isNegated, element, rows) }
    case .quantizedSum(let sum, _):
      return { [run = kernels.quantizedSum] rows in run(sum, rows) }
    case .linearSum(let sum):
      return { [run = kernels.linearSum] rows in run(sum, rows) }
    case .quantizedProduct(let product):
      return { [run = kernels.quantizedProduct] rows in run(product, rows) }
    case .quantizedSquaredDifference(let difference):
      return { [run = kernels.quantizedSquaredDifference] rows in run(difference, rows) }
    case .quantizedRectification(let rectification):
      return { [run = kernels.quantizedRectification] rows in run(rectification, rows) }
    }
  }
}

extension ClosedRange<Int32> {
  /// Returns the greatest distance of a number in the range from `number`.
  fileprivate func furthest(from number: Int32) -> Int32 {
    Swift.max(upperBound - number, number - lowerBound)
  }
}

extension Step {
  /// Returns the step for one tensor that serves as the operand and as the input of the fused
  /// function.
  fileprivate func ofOneTensor(fusing operand: Int, bytes elementBytes: Int) -> Step {
    var step = self
    step.elementwise?.operandBytes = [elementBytes, elementBytes]
    return step.fusing(operand)
  }
}
