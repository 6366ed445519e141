import OcellusModelFile

/// ONE_HOT: for every index a row of one value with another at that index.
package struct OneHot: Operator {
  package static let definition = OperatorDefinition(
    "ONE_HOT", types: [.int32, .int64], resultType: .ofInput(2),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]
  private let axis: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(4)
    try node.require(node.input(0), .int32, .int64)
    try node.require(node.input(1), .int32)
    try node.require(node.output(0), .float32, .int32, .int64, .int8, .uint8, .bool)
    try node.requireSameType(node.input(2), node.output(0))
    try node.requireSameType(node.input(3), node.output(0))
    axis = try node.options(BuiltinOptionsTag.oneHot).integer(0)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var dimensions = context.shape(0).dimensions
    for position in 1...3 {
      try context.require(
        context.shape(position).elementCount == 1, "input \(position) is not one element")
    }
    let position = axis == -1 ? dimensions.count : axis
    try context.require(
      (0...dimensions.count).contains(position), "the axis \(axis) is out of range")
    dimensions.insert(try context.integers(1)[0], at: position)
    return [Shape(dimensions)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    output.fill(withFirstElementOf: context.input(3))
    guard output.elementCount > 0, let base = output.bytes.baseAddress,
      let value = context.input(2).bytes.baseAddress
    else { return }
    let width = output.type.byteWidth ?? 1
    let axis = axis == -1 ? output.shape.rank - 1 : axis
    let depth = output.shape[axis]
    let inner = output.shape.product(of: (axis + 1)..<output.shape.rank)
    let indices = context.input(0).integers
    for chunk in context.chunks(of: indices.count, workOfEach: 4) {
      for position in chunk {
        // The official kernel compares the lower 32 bits.
        let index = Int(Int32(truncatingIfNeeded: indices[position]))
        guard (0..<depth).contains(index) else { continue }
        let (row, column) = position.quotientAndRemainder(dividingBy: inner)
        (base + ((row * depth + index) * inner + column) * width)
          .copyMemory(from: value, byteCount: width)
      }
    }
  }
}
