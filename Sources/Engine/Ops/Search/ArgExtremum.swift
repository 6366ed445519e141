import OcellusModelFile

/// ARG_MAX and ARG_MIN: the index of the largest or smallest element along an axis.
package struct ArgExtremum: Operator {
  package static let maximum = definition("ARG_MAX", BuiltinOptionsTag.argMax, isMaximum: true)
  package static let minimum = definition("ARG_MIN", BuiltinOptionsTag.argMin, isMaximum: false)

  private static func definition(
    _ name: String, _ optionsTag: Int, isMaximum: Bool
  ) -> OperatorDefinition {
    OperatorDefinition(
      name, versions: 1...3, types: [.float32, .int32, .int8, .uint8, .bool]
    ) { node throws(ModelError) in
      try Self(node, optionsTag: optionsTag, isMaximum: isMaximum)
    }
  }

  package let shapeInputs = [1]
  let isMaximum: Bool

  init(_ node: NodeSpec, optionsTag: Int, isMaximum: Bool) throws(ModelError) {
    try node.requireOperands(2)
    try node.require(try node.input(1), .int32, .int64)
    let output = try node.output(0)
    try node.require(output, .int32, .int64)
    let outputType = try node.options(optionsTag).integer(0, as: Int8.self)
    try node.require(
      outputType == output.type.rawValue, "the output is not of the type that the options name")
    self.isMaximum = isMaximum
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var shape = context.shape(0)
    let axes = try context.integers(1)
    try context.require(axes.count == 1, "takes one axis but has \(axes.count)")
    let axis = try context.axis(axes[0], rank: shape.rank)
    try context.require(shape[axis] > 0, "the axis \(axis) is empty")
    shape.dimensions.remove(at: axis)
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    switch context.input(0).type {
    case .float32: search(context, in: Float.self)
    case .int32: search(context, in: Int32.self)
    case .int8: search(context, in: Int8.self)
    case .uint8, .bool: search(context, in: UInt8.self)
    default: preconditionFailure("a type that the definition does not list")
    }
  }

  private func search<Element: Comparable & BitwiseCopyable>(
    _ context: RunContext, in _: Element.Type
  ) {
    if context.output(0).type == .int64 {
      search(context, in: Element.self, as: Int64.self)
    } else {
      search(context, in: Element.self, as: Int32.self)
    }
  }

  private func search<Element: Comparable & BitwiseCopyable, Index: FixedWidthInteger>(
    _ context: RunContext, in _: Element.Type, as _: Index.Type
  ) where Index: BitwiseCopyable {
    let shape = context.input(0).shape
    let input = context.input(0).values(Element.self)
    let output = context.output(0).values(Index.self)
    let axis = context.input(1).integers[0]
    let position = axis < 0 ? axis + shape.rank : axis
    let (extent, inner) = (shape[position], shape.product(of: position + 1..<shape.rank))
    for results in context.chunks(of: output.count, workOfEach: extent) {
      for index in results {
        let start = index / inner * extent * inner + index % inner
        var best = input[start]
        var bestPosition = 0
        forEachChunk(of: extent, context.control) { chunk in
          for position in chunk {
            let candidate = input[start + position * inner]
            let isBetter = isMaximum ? candidate > best : candidate < best
            // NaN (unequal to itself) is never better and always worse.
            if isBetter || (best != best && candidate == candidate) {
              (best, bestPosition) = (candidate, position)
            }
          }
        }
        output[index] = Index(truncatingIfNeeded: bestPosition)
      }
    }
  }
}
