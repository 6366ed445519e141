/// SELECT and SELECT_V2: elements of one tensor where a condition holds, else of another.
package struct Select: Operator {
  /// SELECT, whose condition has the operands' shape, is a scalar, or has one element per outermost
  /// slice.
  package static let definition = OperatorDefinition(
    "SELECT", versions: 1...4, types: [.bool], resultType: .ofInput(1)
  ) { node throws(ModelError) in try Self(node, broadcasts: false) }

  /// SELECT_V2, which broadcasts all three operands.
  package static let broadcasting = OperatorDefinition(
    "SELECT_V2", versions: 1...2, types: [.bool], resultType: .ofInput(1)
  ) { node throws(ModelError) in try Self(node, broadcasts: true) }

  private let broadcasts: Bool
  private let declaredShape: Shape

  init(_ node: NodeSpec, broadcasts: Bool) throws(ModelError) {
    try node.requireOperands(3)
    try node.require(try node.input(0), .bool)
    let (first, output) = (try node.input(1), try node.output(0))
    try node.requireSameType(first, try node.input(2))
    try node.requireSameType(first, output)
    try node.require(first, oneOf: ElementType.upTo64Bits)
    self.broadcasts = broadcasts
    declaredShape = output.shape
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (condition, first, second) = (context.shape(0), context.shape(1), context.shape(2))
    // If all shapes have one element, the official kernel takes the output shape in the file.
    if declaredShape.isReasonable,
      [condition, first, second, declaredShape].allSatisfy({ $0.elementCount == 1 })
    {
      return [declaredShape]
    }
    if broadcasts { return [try context.broadcastShape(of: 0..<3)] }
    try context.require(first == second, "the alternatives have different shapes")
    try context.require(
      condition == first || condition.rank == 0
        || (condition.rank == 1 && first.rank > 0 && condition[0] == first[0]),
      "the condition fits neither the alternatives nor their outermost axis")
    return [first]
  }

  package func run(_ context: RunContext) {
    let (condition, first, second) = (context.input(0), context.input(1), context.input(2))
    let output = context.output(0)
    guard let conditions = condition.bytes.baseAddress, let firsts = first.bytes.baseAddress,
      let seconds = second.bytes.baseAddress, let results = output.bytes.baseAddress
    else { return }
    let loops = BroadcastLoops(
      shape(of: condition.shape, selectingIn: output.shape), first.shape, second.shape,
      to: output.shape)
    Self.select(
      loops, elementWidth: output.type.byteWidth ?? 8, conditions, firsts, seconds, to: results
    ) { context.control.isOver }
  }

  /// Plans the selection with the broadcast loops found in advance.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let condition = context.inputShapes[0], let first = context.inputShapes[1],
      let second = context.inputShapes[2], let width = context.node.outputs[0].type.byteWidth
    else { return nil }
    let result = context.outputShapes[0]
    let kernelName = "loops of \(width) bytes"
    if condition == result, first == result, second == result {
      let work = ElementwiseWork(
        elementCount: result.elementCount, resultBytes: width, operandBytes: [1, width, width]
      ) { step, elements, _ in
        let start = elements.lowerBound
        Self.selectRow(
          elementWidth: width, step.input(0) + start, step.input(1) + start * width,
          step.input(2) + start * width, to: step.output(0) + start * width, count: elements.count,
          (1, 1, 1))
      }
      return Step(kernelName: kernelName, work, threadCount: context.threadCount)
    }
    let loops = BroadcastLoops(
      shape(of: condition, selectingIn: result), first, second, to: result)
    return Step(kernelName: kernelName) { step in
      Self.select(
        loops, elementWidth: width, step.input(0), step.input(1), step.input(2),
        to: step.output(0)
      ) { step.workers.isOver }
    }
  }

  /// The distance to the next element of each operand.
  private typealias Steps = (condition: Int, first: Int, second: Int)

  private static func select(
    _ loops: BroadcastLoops, elementWidth: Int, _ conditions: UnsafeRawPointer,
    _ firsts: UnsafeRawPointer, _ seconds: UnsafeRawPointer, to results: UnsafeMutableRawPointer,
    unless isOver: () -> Bool
  ) {
    let strides = loops.rowStrides
    loops.forEachRow(unless: isOver) { start, starts, count in
      selectRow(
        elementWidth: elementWidth, conditions + starts[0], firsts + starts[1] * elementWidth,
        seconds + starts[2] * elementWidth, to: results + start * elementWidth, count: count,
        (strides[0], strides[1], strides[2]))
    }
  }

  private static func selectRow(
    elementWidth: Int, _ conditions: UnsafeRawPointer, _ firsts: UnsafeRawPointer,
    _ seconds: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int, _ steps: Steps
  ) {
    func select<Element: BitwiseCopyable>(_: Element.Type) {
      selectRow(
        conditions.assumingMemoryBound(to: Boolean.self),
        firsts.assumingMemoryBound(to: Element.self),
        seconds.assumingMemoryBound(to: Element.self),
        to: row.assumingMemoryBound(to: Element.self), count: count, steps)
    }
    switch elementWidth {
    case 1: select(UInt8.self)
    case 2: select(UInt16.self)
    case 4: select(UInt32.self)
    default: select(UInt64.self)
    }
  }

  /// Selects the elements of one row; the most frequent strides have loops that the compiler
  /// vectorizes.
  @inline(__always)
  private static func selectRow<Element: BitwiseCopyable>(
    _ conditions: UnsafePointer<Boolean>, _ a: UnsafePointer<Element>, _ b: UnsafePointer<Element>,
    to row: UnsafeMutablePointer<Element>, count: Int, _ steps: Steps
  ) {
    switch steps {
    case (1, 1, 1):
      for index in 0..<count {
        let (first, second) = (a[index], b[index])
        row[index] = conditions[index].isTrue ? first : second
      }
    case (1, 1, 0):
      let second = b.pointee
      for index in 0..<count {
        let first = a[index]
        row[index] = conditions[index].isTrue ? first : second
      }
    case (1, 0, 1):
      let first = a.pointee
      for index in 0..<count {
        let second = b[index]
        row[index] = conditions[index].isTrue ? first : second
      }
    case (0, _, _):
      let (chosen, step) =
        conditions.pointee.isTrue ? (a, steps.first) : (b, steps.second)
      if step == 1 {
        row.update(from: chosen, count: count)
      } else {
        row.update(repeating: chosen.pointee, count: count)
      }
    default:
      for index in 0..<count {
        row[index] =
          conditions[index &* steps.condition].isTrue
          ? a[index &* steps.first] : b[index &* steps.second]
      }
    }
  }

  /// Returns the shape of the condition, with SELECT's condition per outermost slice aligned at the
  /// first axis.
  private func shape(of condition: Shape, selectingIn result: Shape) -> Shape {
    guard !broadcasts, condition.rank == 1, result.rank > 1 else { return condition }
    var shape = Shape([Int](repeating: 1, count: result.rank))
    shape[0] = condition[0]
    return shape
  }
}
