import OcellusModelFile

/// STRIDED_SLICE: the elements that Python's `x[begin:end:step, ..., newaxis, i]` takes of a
/// tensor.
package struct StridedSlice: Rearrangement {
  package static let definition = OperatorDefinition(
    "STRIDED_SLICE", versions: 1...8, types: ElementType.upTo64Bits + [.string],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1, 2, 3]
  private let subscripts: SubscriptList.Masks

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(4)
    try node.requireSameType(node.input(0), node.output(0))
    for position in 1...3 { try node.require(node.input(position), .int32) }
    let options = node.options(BuiltinOptionsTag.stridedSlice)
    subscripts = .init(
      begin: try options.integer(0), end: try options.integer(1),
      ellipsis: try options.integer(2), newAxis: try options.integer(3),
      singleIndex: try options.integer(4), endIsCount: try options.bool(5))
  }

  private func ranges(_ context: ShapeContext) throws(ModelError) -> [SubscriptList.AxisRange] {
    try SubscriptList(context, masks: subscripts).ranges(of: context.shape(0), context)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [Shape(try ranges(context).filter { !$0.isDropped }.map(\.count))]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let strides = operands.shape(0).strides
    var source = StridedCopy.Layout(strides: [])
    var extents: [Int] = []
    for range in try ranges(operands) {
      guard let axis = range.axis else { continue }
      source.offset += range.start * strides[axis]
      source.strides.append(range.step * strides[axis])
      extents.append(range.count)
    }
    let copy = StridedCopy(
      extents: extents, source: source, destination: .init(Shape(extents)))
    return [ElementCopy(from: .input(0), copy)]
  }
}
