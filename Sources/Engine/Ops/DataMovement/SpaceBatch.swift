/// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: every b-th pixel becomes part of an image of its own,
/// and back.
///
/// The image is padded first, or cropped last.
package struct SpaceBatch: Rearrangement {
  package static let toBatch = definition("SPACE_TO_BATCH_ND", intoBatch: true)
  package static let toSpace = definition("BATCH_TO_SPACE_ND", intoBatch: false)

  private static func definition(_ name: String, intoBatch: Bool) -> OperatorDefinition {
    OperatorDefinition(name, versions: 1...4, types: ElementType.upTo64Bits) {
      node throws(ModelError) in
      try Self(node, intoBatch: intoBatch)
    }
  }

  package let shapeInputs = [1, 2]
  private let intoBatch: Bool
  /// The value of the padding.
  private let zeroPoint: Int

  private init(_ node: NodeSpec, intoBatch: Bool) throws(ModelError) {
    self.intoBatch = intoBatch
    try node.requireOperands(3)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.requireSameType(input, output)
    if [.uint8, .int8, .int16].contains(input.type) {
      try node.requireSameQuantization(input, output)
    }
    try node.require(
      input.type != .int16 || input.uniformZeroPoint == 0, "int16 needs the zero point 0")
    zeroPoint = input.type.bitWidth == 8 ? output.uniformZeroPoint : 0
    try node.require(node.input(1), .int32)
    try node.require(node.input(2), .int32)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require((3...4).contains(shape.rank), "takes 3 or 4 dimensions")
    let blocks = try context.integers(1)
    try context.require(
      context.shape(1).dimensions == [shape.rank - 2] && blocks.allSatisfy { $0 > 0 },
      "the block \(blocks) does not fit \(shape)")
    let margins = try Paddings(context, input: 2, rank: shape.rank - 2)
    let blockSize = blocks.count == 1 ? blocks[0] : try context.product(blocks[0], blocks[1])
    var result = shape
    if intoBatch {
      result[0] = try context.product(shape[0], blockSize)
    } else {
      try context.require(shape[0] % blockSize == 0, "the batch is no multiple of \(blockSize)")
      result[0] = shape[0] / blockSize
    }
    for (axis, block) in blocks.enumerated() {
      let margin = margins.before[axis] + margins.after[axis]
      let extent = shape[axis + 1]
      if intoBatch {
        try context.require(
          (extent + margin) % block == 0, "\(extent + margin) is no multiple of \(block)")
        result[axis + 1] = (extent + margin) / block
      } else {
        result[axis + 1] = extent * block - margin
      }
    }
    return [result]
  }

  package var background: Background? { intoBatch ? .integer(zeroPoint) : nil }

  /// Runs the copies one at a time, since there may be as many as pixels.
  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    if intoBatch { output.fill(withInteger: zeroPoint) }
    let operands = context.operands(valued: shapeInputs)
    try forEachCopy(operands, to: output.shape) { copy throws(ModelError) in
      try context.checkpoint()
      copy?.run(
        from: input.bytes.baseAddress, to: output.bytes.baseAddress,
        elementWidth: input.type.byteWidth ?? 1, context.control)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    let counts = (context.inputShapes[0]?[0] ?? 0, context.outputShapes[0][0])
    // Blocks of networks are small; the plan of a huge block would take more memory than the
    // tensors.
    guard max(counts.0, counts.1) <= 256 * max(min(counts.0, counts.1), 1) else { return nil }
    return try rearrangingStep(context)
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    var elementCopies: [ElementCopy] = []
    try forEachCopy(operands, to: results[0]) { copy throws(ModelError) in
      if let copy { elementCopies.append(ElementCopy(from: .input(0), copy)) }
    }
    return elementCopies
  }

  /// Visits the copies of the pixels at each position inside their blocks; `nil` where there are no
  /// such pixels.
  private func forEachCopy(
    _ operands: ShapeContext, to result: Shape,
    _ body: (_ copy: StridedCopy?) throws(ModelError) -> Void
  ) throws(ModelError) {
    let input = operands.shape(0)
    guard input.elementCount > 0, result.elementCount > 0 else { return }
    let (space, batch) = intoBatch ? (input, result) : (result, input)
    let grid = PixelGrid(
      space: space, batch: batch, blocks: try operands.integers(1),
      margins: try Paddings(operands, input: 2, rank: space.rank - 2).before)
    for position in 0..<batch[0] / space[0] {
      guard let (spaceLayout, batchLayout, extents) = grid.pixels(position) else {
        try body(nil)
        continue
      }
      let (source, target) =
        intoBatch ? (spaceLayout, batchLayout) : (batchLayout, spaceLayout)
      try body(StridedCopy(extents: extents, source: source, destination: target))
    }
  }
}

/// The mapping between the pixels of the whole image and those of the small images.
private struct PixelGrid {
  var space: Shape
  var batch: Shape
  var blocks: [Int]
  /// The distance from the edge of the whole image to the first block, outside or inside it.
  var margins: [Int]

  /// Returns the layouts of the pixels at one position inside their blocks: in the whole image and
  /// in their small one; `nil` when all of them are outside the whole image.
  func pixels(
    _ position: Int
  ) -> (space: StridedCopy.Layout, batch: StridedCopy.Layout, extents: [Int])? {
    var (whole, small) = (StridedCopy.Layout(space), StridedCopy.Layout(batch))
    var extents = space.dimensions
    small.offset = position * space[0] * small.strides[0]
    var rest = position
    for (axis, block) in blocks.enumerated().reversed() {
      let shift = rest % block - margins[axis]
      rest /= block
      // The blocks whose pixel `block × index + shift` is inside the image.
      let first = shift < 0 ? (-shift + block - 1) / block : 0
      let end = min(batch[axis + 1], (space[axis + 1] - shift + block - 1) / block)
      guard first < end else { return nil }
      whole.offset += (first * block + shift) * whole.strides[axis + 1]
      whole.strides[axis + 1] *= block
      small.offset += first * small.strides[axis + 1]
      extents[axis + 1] = end - first
    }
    return (whole, small, extents)
  }
}
