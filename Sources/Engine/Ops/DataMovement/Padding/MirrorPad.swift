import OcellusModelFile

/// MIRROR_PAD: a tensor surrounded by its own reflections.
package struct MirrorPad: Rearrangement {
  package static let definition = OperatorDefinition(
    "MIRROR_PAD", versions: 1...3, types: ElementType.upTo64Bits,
    make: { node throws(ModelError) in try Self(node) })

  /// Whether the outermost elements are reflected too.
  private enum Mode: Int {
    case reflect = 0
    case symmetric = 1
  }

  package let shapeInputs = [1]
  /// The distance from the border at which the reflection begins.
  private let skip: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.requireSameType(input, output)
    try node.require(node.input(1), .int32, .int64)
    if [.uint8, .int8, .int16].contains(input.type) {
      try node.requireSameQuantization(input, output)
    }
    try node.require(
      input.type != .int16 || input.uniformZeroPoint == 0, "int16 needs the zero point 0")
    let mode = try node.options(BuiltinOptionsTag.mirrorPad)
      .choice(0, of: Mode.self, named: "the mode")
    skip = mode == .reflect ? 1 : 0
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    let paddings = try Paddings(context, input: 1, rank: shape.rank)
    for axis in 0..<shape.rank {
      try context.require(
        max(paddings.before[axis], paddings.after[axis]) <= shape[axis] - skip,
        "axis \(axis) of \(shape) is too short for its paddings")
    }
    return [paddings.grown(shape)]
  }

  /// Returns a copy to the middle and then, innermost axis first, reflections of what is there.
  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let shape = operands.shape(0)
    let paddings = try Paddings(operands, input: 1, rank: shape.rank)
    let strides = results[0].strides
    var elementCopies = [ElementCopy(from: .input(0), paddings.centre(shape, in: results[0]))]
    for axis in (0..<shape.rank).reversed() {
      let (first, count) = (paddings.before[axis], shape[axis])
      let end = first + count
      elementCopies.append(
        reflection(from: first + skip, step: 1, to: first - 1, count: first, axis: axis))
      elementCopies.append(
        reflection(
          from: end - 1 - skip, step: -1, to: end, count: paddings.after[axis], axis: axis))
    }
    return elementCopies

    /// Returns a copy of `count` slices, forwards or backwards from `from`, and the other way from
    /// `to`.
    func reflection(from: Int, step: Int, to: Int, count: Int, axis: Int) -> ElementCopy {
      var extents = results[0].dimensions
      var offset = 0
      for outer in 0..<axis {
        extents[outer] = shape[outer]
        offset += paddings.before[outer] * strides[outer]
      }
      extents[axis] = count
      var (source, destination) = (strides, strides)
      source[axis] *= step
      destination[axis] *= -step
      return ElementCopy(
        from: .result,
        StridedCopy(
          extents: extents,
          source: .init(offset: offset + from * strides[axis], strides: source),
          destination: .init(offset: offset + to * strides[axis], strides: destination)))
    }
  }
}
