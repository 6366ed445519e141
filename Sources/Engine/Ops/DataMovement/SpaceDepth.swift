import OcellusModelFile

/// SPACE_TO_DEPTH and DEPTH_TO_SPACE: square blocks of pixels become one pixel with all their
/// channels, and back.
package struct SpaceDepth: Rearrangement {
  package static let toDepth = definition("SPACE_TO_DEPTH", versions: 1...2, intoDepth: true)
  package static let toSpace = definition("DEPTH_TO_SPACE", versions: 1...2, intoDepth: false)

  private static func definition(
    _ name: String, versions: ClosedRange<Int>, intoDepth: Bool
  ) -> OperatorDefinition {
    OperatorDefinition(
      name, versions: versions, types: [.float32, .uint8, .int8, .int32, .int64]
    ) { node throws(ModelError) in try Self(node, intoDepth: intoDepth) }
  }

  private let intoDepth: Bool
  private let block: Int

  private init(_ node: NodeSpec, intoDepth: Bool) throws(ModelError) {
    self.intoDepth = intoDepth
    try node.requireOperands(1)
    try node.requireSameType(node.input(0), node.output(0))
    let tag = intoDepth ? BuiltinOptionsTag.spaceToDepth : BuiltinOptionsTag.depthToSpace
    block = try node.options(tag).integer(0)
    try node.require(block > 0, "the block size is \(block)")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == 4, "takes 4 dimensions")
    let area = try context.product(block, block)
    if intoDepth {
      try context.require(
        shape[1] % block == 0 && shape[2] % block == 0, "does not divide into blocks of \(block)")
      return [[shape[0], shape[1] / block, shape[2] / block, try context.product(shape[3], area)]]
    }
    try context.require(shape[3] % area == 0, "has no multiple of \(area) channels")
    return [[shape[0], shape[1] * block, shape[2] * block, shape[3] / area]]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let (fine, coarse) =
      intoDepth ? (operands.shape(0), results[0]) : (results[0], operands.shape(0))
    let (strides, coarseStrides) = (fine.strides, coarse.strides)
    // Batch, row and column of the block, row and column inside it, channel.
    let extents = [fine[0], coarse[1], coarse[2], block, block, fine[3]]
    let space = StridedCopy.Layout(
      strides: [strides[0], block * strides[1], block * strides[2], strides[1], strides[2], 1])
    let depth = StridedCopy.Layout(
      strides: [coarseStrides[0], coarseStrides[1], coarseStrides[2], block * fine[3], fine[3], 1])
    let copy =
      intoDepth
      ? StridedCopy(extents: extents, source: space, destination: depth)
      : StridedCopy(extents: extents, source: depth, destination: space)
    return [ElementCopy(from: .input(0), copy)]
  }
}
