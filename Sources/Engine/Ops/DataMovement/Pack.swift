import OcellusModelFile

/// PACK: tensors of one shape, next to each other along a new axis.
package struct Pack: Rearrangement {
  package static let definition = OperatorDefinition(
    "PACK", versions: 1...5,
    types: [.float32, .int32, .uint8, .uint32, .int8, .int16, .int64],
    make: { node throws(ModelError) in try Self(node) })

  private let axis: Int

  init(_ node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.pack)
    let count = try options.integer(0)
    axis = try options.integer(1)
    try node.require(count >= 1, "packs \(count) tensors")
    try node.requireOperands(count)
    let output = try node.output(0)
    for position in 0..<count {
      let input = try node.input(position)
      try node.requireSameType(input, output)
      try node.requireSameQuantization(input, output)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    let axis = try context.axis(axis, rank: shape.rank + 1)
    for position in 0..<context.inputCount {
      try context.require(context.shape(position) == shape, "packs different shapes")
    }
    var dimensions = shape.dimensions
    dimensions.insert(context.inputCount, at: axis)
    return [Shape(dimensions)]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let shape = operands.shape(0)
    var strides = results[0].strides
    let step = strides.remove(at: try operands.axis(axis, rank: results[0].rank))
    return (0..<operands.inputCount).map { position in
      let copy = StridedCopy(
        extents: shape.dimensions, source: .init(shape),
        destination: .init(offset: position * step, strides: strides))
      return ElementCopy(from: .input(position), copy)
    }
  }
}
