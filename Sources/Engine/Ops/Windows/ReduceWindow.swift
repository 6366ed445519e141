import OcellusModelFile

/// REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW: fold the elements of a window at each of its
/// positions.
package struct ReduceWindow: Operator {
  package static let definition = OperatorDefinition(
    "REDUCE_WINDOW", types: types
  ) { node throws(ModelError) in try Self(deprecated: node) }

  package static let stableHLO = OperatorDefinition(
    "STABLEHLO_REDUCE_WINDOW", types: types
  ) { node throws(ModelError) in try Self(stableHLO: node) }

  private static let types: [ElementType] = [
    .float32, .float64, .int8, .uint8, .int16, .int32, .int64, .bool,
  ]

  /// The window along one axis.
  private struct Axis {
    var extent: Int
    var stride: Int
    /// The distance between adjacent taps.
    var dilation: Int
    var padding = AxisPadding()

    /// Returns the number of window positions along an axis with this padded extent.
    func positionCount(in paddedExtent: Int) -> Int {
      let reach = (extent - 1) * dilation + 1
      return paddedExtent < reach ? 0 : (paddedExtent - reach) / stride + 1
    }
  }

  private let axes: [Axis]
  private let computation: RegionComputation

  private init(deprecated node: NodeSpec) throws(ModelError) {
    try node.requireOperands(5)
    let function = try node.options2(BuiltinOptions2Tag.reduceWindow).integer(0)
    let computations: [Int: RegionComputation] = [
      1: .add, 2: .multiply, 3: .minimum, 4: .maximum, 5: .and, 6: .or,
    ]
    guard let computation = computations[function] else {
      throw node.unsupported("the function \(function) is not known")
    }
    var windows: [[Int]] = []
    for position in 2...4 {
      let tensor = try node.input(position)
      try node.require(tensor, .int64)
      guard let values = tensor.constantValues(Int64.self) else {
        throw node.error("\(tensor.label) must be a constant")
      }
      windows.append(values.map(Int.init))
    }
    try node.require(
      windows.allSatisfy { $0.count == windows[0].count }, "the window has no certain rank")
    let axes = windows[0].indices.map {
      Axis(extent: windows[0][$0], stride: windows[1][$0], dilation: windows[2][$0])
    }
    try self.init(node, axes, computation)
  }

  private init(stableHLO node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let options = node.options2(BuiltinOptions2Tag.stablehloReduceWindow)
    let extents = try options.integers(0, as: Int64.self) ?? []
    func attribute(
      _ field: Int, count: Int, default fallback: Int
    ) throws(ModelError) -> [Int] {
      let values = try options.integers(field, as: Int64.self) ?? []
      if values.isEmpty { return [Int](repeating: fallback, count: count) }
      try node.require(values.count == count, "field \(field) has \(values.count) numbers")
      return values
    }
    let strides = try attribute(1, count: extents.count, default: 1)
    let baseDilations = try attribute(2, count: extents.count, default: 1)
    let dilations = try attribute(3, count: extents.count, default: 1)
    let paddings = try attribute(4, count: 2 * extents.count, default: 0)
    try node.require(
      baseDilations.allSatisfy { (1...Int(Int32.max)).contains($0) },
      "the dilations \(baseDilations) are out of range")
    let axes = extents.indices.map { axis in
      Axis(
        extent: extents[axis], stride: strides[axis], dilation: dilations[axis],
        padding: AxisPadding(
          low: paddings[2 * axis], high: paddings[2 * axis + 1],
          interior: baseDilations[axis] - 1))
    }
    let computation = try RegionComputation(subgraph: try options.integer(5), of: node)
    guard let computation, computation != .replace else {
      throw node.unsupported("its subgraph computes nothing that is supported")
    }
    try self.init(node, axes, computation)
  }

  private init(
    _ node: NodeSpec, _ axes: [Axis], _ computation: RegionComputation
  ) throws(ModelError) {
    let input = try node.input(0)
    try node.requireSameType(input, try node.input(1))
    try node.requireSameType(input, try node.output(0))
    let range = 1...Int(Int32.max)
    try node.require((1...6).contains(axes.count), "the window has \(axes.count) dimensions")
    try node.require(
      axes.allSatisfy {
        range.contains($0.extent) && range.contains($0.stride) && range.contains($0.dilation)
          && $0.padding.isReasonable
      }, "the window is out of range")
    self.axes = axes
    self.computation = computation
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == axes.count, "the window has \(axes.count) dimensions")
    try context.require(context.shape(1).elementCount == 1, "the initial value is not one element")
    let padded = zip(axes, shape.dimensions).map { $0.padding.padded($1) }
    if axes.contains(where: { $0.padding.low != 0 || $0.padding.high != 0 }) {
      try context.require(padded.allSatisfy { $0 > 0 }, "the paddings leave nothing")
    }
    return [Shape(zip(axes, padded).map { $0.positionCount(in: $1) })]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    var product = 1
    for (axis, extent) in zip(axes, context.shape(0).dimensions) {
      for factor in [axis.extent, axis.positionCount(in: axis.padding.padded(extent))] {
        let (value, overflow) = product.multipliedReportingOverflow(by: factor)
        product = overflow ? .max : value
      }
    }
    return product
  }

  package func run(_ context: RunContext) throws(ModelError) {
    switch context.output(0).type {
    case .float32: try reduce(context, of: Float.self)
    case .float64: try reduce(context, of: Double.self)
    case .uint8: try reduce(context, of: UInt8.self)
    case .int16: try reduce(context, of: Int16.self)
    case .int32: try reduce(context, of: Int32.self)
    case .int64: try reduce(context, of: Int64.self)
    // The official kernel computes on `bool` as on `int8`.
    default: try reduce(context, of: Int8.self)
    }
  }

  private func reduce<Value: PlainArithmetic>(
    _ context: RunContext, of _: Value.Type
  ) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    let view = WindowView(
      axes: axes, shape: input.shape, values: input.values(Value.self),
      initial: context.input(1).values(Value.self)[0], function: .init(computation))
    let results = output.values(Value.self)
    let strides = output.shape.strides
    var corner = [Int](repeating: 0, count: axes.count)
    var question = StoppableWork(context.control)
    for index in results.indices {
      var rest = index
      for axis in corner.indices {
        corner[axis] = rest / strides[axis] * axes[axis].stride
        rest %= strides[axis]
      }
      var result = view.initial
      try view.accumulate(from: corner, into: &result, &question, context)
      results[index] = result
    }
  }

  /// A padded operand that windows read.
  private struct WindowView<Value: PlainArithmetic> {
    let axes: [Axis]
    let shape: Shape
    let values: UnsafeMutableBufferPointer<Value>
    let initial: Value
    let function: RegionFunction<Value>

    /// Folds the elements of the window whose first element is at `corner`, in row-major order.
    ///
    /// `offset` is the offset along the axes before `axis`, or `nil` in the padding.
    func accumulate(
      from corner: [Int], axis: Int = 0, offset: Int? = 0, into result: inout Value,
      _ question: inout StoppableWork, _ context: RunContext
    ) throws(ModelError) {
      let window = axes[axis]
      try context.checkpoint(after: 4 &+ window.extent, &question)
      for chunk in context.chunks(of: window.extent) {
        for step in chunk {
          let position = corner[axis] + step * window.dilation
          var next: Int?
          if let offset, let source = window.padding.source(of: position, extent: shape[axis]) {
            next = offset * shape[axis] + source
          }
          if axis + 1 < axes.count {
            try accumulate(
              from: corner, axis: axis + 1, offset: next, into: &result, &question, context)
          } else {
            // The operands have this order because the first one is the result if one is NaN.
            result = function(next.map { values[$0] } ?? initial, result)
          }
        }
      }
    }
  }
}
