import OcellusModelFile

/// SPLIT and SPLIT_V: slices along one axis, of equal size or of sizes that an operand gives.
package struct Split: Rearrangement {
  package static let even = OperatorDefinition(
    "SPLIT", versions: 1...5, types: [.int32], resultType: .ofInput(1)
  ) {
    node throws(ModelError) in
    try Self(node, value: 1, axis: 0, sizes: nil, options: BuiltinOptionsTag.split)
  }
  package static let sized = OperatorDefinition(
    "SPLIT_V", versions: 1...3, types: elementTypes, resultType: .ofInput(0)
  ) {
    node throws(ModelError) in
    try Self(node, value: 0, axis: 2, sizes: 1, options: BuiltinOptionsTag.splitV)
  }
  private static let elementTypes: [ElementType] = [
    .float32, .uint8, .int8, .int16, .int32, .int64,
  ]

  package let shapeInputs: [Int]
  private let valueInput: Int
  private let axisInput: Int
  private let sizesInput: Int?
  private let count: Int

  private init(
    _ node: NodeSpec, value: Int, axis: Int, sizes: Int?, options: Int
  ) throws(ModelError) {
    (valueInput, axisInput, sizesInput) = (value, axis, sizes)
    shapeInputs = sizes.map { [axis, $0] } ?? [axis]
    count = try node.options(options).integer(0)
    try node.require(
      count == node.outputs.count && count > 0,
      "makes \(count) pieces but has \(node.outputs.count) outputs")
    try node.requireOperands(sizes == nil ? 2 : 3, outputs: count)
    let input = try node.input(value)
    try node.require(input, oneOf: Self.elementTypes)
    for output in node.outputs { try node.requireSameType(input, output) }
    try node.require(node.input(axis), .int32)
    if let sizes { try node.require(node.input(sizes), .int32, .int64) }
  }

  private func axis(_ context: ShapeContext) throws(ModelError) -> Int {
    let axes = try context.integers(axisInput)
    try context.require(axes.count >= 1, "the axis is missing")
    return try context.axis(axes[0], rank: context.shape(valueInput).rank)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let axis = try axis(context)
    let shape = context.shape(valueInput)
    return try sliceExtents(of: shape[axis], context).map { extent in
      var slice = shape
      slice[axis] = extent
      return slice
    }
  }

  private func sliceExtents(
    of extent: Int, _ context: ShapeContext
  ) throws(ModelError) -> [Int] {
    guard let sizesInput else {
      try context.require(extent % count == 0, "\(extent) is not a multiple of \(count)")
      return .init(repeating: extent / count, count: count)
    }
    var sizes = try context.integers(sizesInput)
    try context.require(
      context.shape(sizesInput).rank == 1 && sizes.count == count,
      "gives \(sizes.count) sizes for \(count) pieces")
    let free = sizes.firstIndex(of: -1)
    if let free { sizes[free] = 0 }
    var rest = extent
    for size in sizes {
      try context.require(
        (0...rest).contains(size), "a size of \(size) does not fit \(extent)")
      rest -= size
    }
    if let free { sizes[free] = rest }
    try context.require(free != nil || rest == 0, "the sizes \(sizes) leave \(rest) over")
    return sizes
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let axis = try axis(operands)
    let strides = operands.shape(valueInput).strides
    var offset = 0
    return results.enumerated().map { position, slice in
      defer { offset += slice[axis] * strides[axis] }
      let copy = StridedCopy(
        extents: slice.dimensions, source: .init(offset: offset, strides: strides),
        destination: .init(slice))
      return ElementCopy(from: .input(valueInput), to: position, copy)
    }
  }
}
