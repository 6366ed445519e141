import OcellusModelFile

/// UNPACK: the slices along one axis, each as a tensor.
package struct Unpack: Rearrangement {
  package static let definition = OperatorDefinition(
    "UNPACK", versions: 1...6,
    types: [.float32, .float16, .bfloat16, .uint8, .int8, .int16, .int32, .bool],
    make: { node throws(ModelError) in try Self(node) })

  private let axis: Int

  init(_ node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.unpack)
    axis = try options.integer(1)
    try node.requireOperands(1, outputs: try options.integer(0))
    let input = try node.input(0)
    for output in node.outputs {
      try node.requireSameType(input, output)
      try node.requireSameQuantization(input, output)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    let axis = try context.axis(axis, rank: shape.rank)
    try context.require(shape.elementCount > 0, "unpacks no elements")
    try context.require(
      shape[axis] == context.node.outputs.count, "has \(context.node.outputs.count) outputs")
    var dimensions = shape.dimensions
    dimensions.remove(at: axis)
    return .init(repeating: Shape(dimensions), count: context.node.outputs.count)
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let shape = operands.shape(0)
    var strides = shape.strides
    let step = strides.remove(at: try operands.axis(axis, rank: shape.rank))
    return results.enumerated().map { position, slice in
      let copy = StridedCopy(
        extents: slice.dimensions, source: .init(offset: position * step, strides: strides),
        destination: .init(slice))
      return ElementCopy(from: .input(0), to: position, copy)
    }
  }
}
