/// RANGE: the numbers from a start to a limit (exclusive), with a constant step.
package struct NumberSequence: Operator {
  package static let definition = OperatorDefinition(
    "RANGE", versions: 1...2, types: [.float32, .int32, .int64], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [0, 1, 2]
  private let type: ElementType

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    type = try node.output(0).type
    for position in 0..<3 { try node.requireSameType(node.input(position), node.output(0)) }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    for position in 0..<3 {
      try context.require(context.shape(position).rank == 0, "input \(position) is no scalar")
    }
    let count = type == .float32 ? floatCount(context) : try integerCount(context)
    guard let count else { throw context.error("the step does not lead from start to limit") }
    return [[count]]
  }

  private func floatCount(_ context: ShapeContext) -> Int? {
    let values = (0..<3).compactMap { context.value($0)?.values(Float.self).first }
    guard values.count == 3 else { return nil }
    let (start, limit, step) = (values[0], values[1], values[2])
    guard (start >= limit && step < 0) || (start <= limit && step > 0) else { return nil }
    return Int(exactly: abs((limit - start) / step).rounded(.up))
  }

  private func integerCount(_ context: ShapeContext) throws(ModelError) -> Int? {
    var values: [Int] = []
    for position in 0..<3 { values += try context.integers(position) }
    guard values.count == 3 else { return nil }
    let (start, limit, step) = (values[0], values[1], values[2])
    guard (start >= limit && step < 0) || (start <= limit && step > 0) else { return nil }
    let (distance, overflow) = limit.subtractingReportingOverflow(start)
    guard !overflow else { return nil }
    guard distance != 0 else { return 0 }
    let steps = (distance.magnitude - 1) / step.magnitude
    return steps < Shape.largestElementCount ? Int(steps) + 1 : nil
  }

  package func run(_ context: RunContext) throws(ModelError) {
    switch type {
    case .float32: fill(context, as: Float.self) { $0 + $1 }
    case .int32: fill(context, as: Int32.self) { $0 &+ $1 }
    default: fill(context, as: Int64.self) { $0 &+ $1 }
    }
  }

  /// Adds the step repeatedly, as the official kernel does, so floats accumulate the same errors.
  private func fill<Element: BitwiseCopyable>(
    _ context: RunContext, as _: Element.Type, _ add: (Element, Element) -> Element
  ) {
    let output = context.output(0).values(Element.self)
    guard var value = context.input(0).values(Element.self).first,
      let step = context.input(2).values(Element.self).first
    else { return }
    for chunk in context.chunks(of: output.count) {
      for index in chunk {
        output[index] = value
        value = add(value, step)
      }
    }
  }
}
