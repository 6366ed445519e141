/// SCATTER_ND: zeros to which slices are added at the tuples of indices in an operand.
package struct ScatterND: Operator {
  package static let definition = OperatorDefinition(
    "SCATTER_ND", types: [.int32], resultType: .ofInput(1),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [2]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    try node.require(node.input(0), .int32)
    try node.require(node.input(2), .int32)
    try node.require(node.input(1), .float32, .uint8, .bool, .int8, .int64, .int32)
    try node.requireSameType(node.input(1), node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (indices, updates) = (context.shape(0), context.shape(1))
    let result = Shape(try context.integers(2))
    try context.require(result.isReasonable, "the shape \(result) is impossible")
    try context.require(
      indices.rank >= 1 && updates.rank >= 1 && context.shape(2).rank == 1, "takes no scalars")
    try context.require(
      indices[-1] <= result.rank
        && updates.dimensions
          == indices.dimensions.dropLast() + result.dimensions.dropFirst(indices[-1]),
      "the updates do not fit the shape \(result)")
    return [result]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    let tuples = try IndexTuples(context.input(0), into: output.shape, context)
    let updates = context.input(1)
    output.fill(withInteger: 0)
    switch output.type {
    case .float32: Self.add(Float.self, of: updates, to: output, at: tuples, +)
    case .int32: Self.add(Int32.self, of: updates, to: output, at: tuples, &+)
    case .int64: Self.add(Int64.self, of: updates, to: output, at: tuples, &+)
    case .bool: Self.add(UInt8.self, of: updates, to: output, at: tuples, |)
    default: Self.add(UInt8.self, of: updates, to: output, at: tuples, &+)
    }
  }

  private static func add<Element: BitwiseCopyable>(
    _: Element.Type, of updates: TensorView, to output: TensorView, at tuples: IndexTuples,
    _ sum: (Element, Element) -> Element
  ) {
    let (source, target) = (updates.values(Element.self), output.values(Element.self))
    let length = tuples.sliceLength
    guard length > 0, let source = source.baseAddress, let target = target.baseAddress else {
      return
    }
    for chunk in output.chunks(of: tuples.count, workOfEach: 4 + length) {
      for position in chunk {
        let (added, slice) = (source + position * length, target + tuples.slice(position) * length)
        forEachChunk(of: length, output.control) { range in
          for index in range { slice[index] = sum(slice[index], added[index]) }
        }
      }
    }
  }
}
