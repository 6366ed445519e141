import OcellusKernelABI

/// MediaPipe's custom operator `MaxPoolingWithArgmax2D`: a maximum pool that also returns the tap
/// of each maximum in its window.
package struct MaxPoolingWithArgmax2D: Operator {
  package static let definition = OperatorDefinition(
    "MaxPoolingWithArgmax2D", types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  private let window: WindowOptions
  private let tapRows: Int
  private let tapColumns: Int
  private let range: ClosedRange<Float>

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1, outputs: 2)
    for tensor in [try node.input(0), try node.output(0), try node.output(1)] {
      try node.require(tensor, .float32)
    }
    let structure = try node.structOptions(count: 6)
    window = try WindowOptions(structure: structure, node: node)
    (tapColumns, tapRows) = (structure[3], structure[4])
    try node.require(tapRows >= 1 && tapColumns >= 1, "the window has no extent")
    range = (FusedActivation(rawValue: structure[5]) ?? .none).floatRange
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    try context.require(input.rank == 4, "the input must have 4 dimensions")
    guard let geometry = geometry(input) else {
      throw context.error("the window does not fit into the input")
    }
    let output = Shape([
      input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, input[3],
    ])
    return [output, output]
  }

  private func geometry(_ input: Shape) -> WindowGeometry? {
    window.geometry(over: input, tapRows: tapRows, tapColumns: tapColumns)
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let input = context.shape(0)
    guard let geometry = geometry(input) else { return 0 }
    return saturatingProduct(
      input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, input[3],
      min(tapRows, input[1]), min(tapColumns, input[2]))
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    // Up to this size, the indices of taps are exact as floats.
    guard tapRows <= 1 << 12, tapColumns <= 1 << 12, let input = context.inputShapes[0],
      let geometry = geometry(input)
    else { return nil }
    var pool = WindowPool(
      geometry, over: input, range: range, kernel: context.kernels.pooling.maximumFloatWithIndex)
    pool.returnsArgmax = true
    return pool.step("maximum pool with places", context)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let input = context.input(0)
    guard context.output(0).elementCount > 0, let geometry = geometry(input.shape) else { return }
    let (rows, columns) = (geometry.rows, geometry.columns)
    let channelCount = input.shape[3]
    let imageSize = input.shape.product(of: 1..<4)
    var pixel = 0
    var question = StoppableWork(context.control)
    for item in 0..<input.shape[0] {
      for row in 0..<rows.outputExtent {
        for column in 0..<columns.outputExtent {
          let corner = (rows.origin(of: row) * columns.inputExtent + columns.origin(of: column))
          reduce(
            context, rows.taps(at: row), columns.taps(at: column),
            origin: item * imageSize + corner * channelCount, pixel: pixel, &question)
          if question.isOver(after: 16) { return }
          pixel += channelCount
        }
      }
    }
  }

  /// Reduces one window; `origin` is the offset of its first tap, inside the input or not.
  private func reduce(
    _ context: RunContext, _ rowTaps: Range<Int>, _ columnTaps: Range<Int>, origin: Int, pixel: Int,
    _ question: inout StoppableWork
  ) {
    let input = context.input(0)
    let (channelCount, rowLength) = (input.shape[3], input.shape[2] * input.shape[3])
    let values = input.values(Float.self)
    let (maxima, taps) = (
      context.output(0).values(Float.self), context.output(1).values(Float.self)
    )
    for channel in 0..<channelCount {
      var maximum = -Float.greatestFiniteMagnitude
      var tap = 0
      for row in rowTaps {
        if question.isOver(after: columnTaps.count) { return }
        for chunk in context.chunks(of: columnTaps.count) {
          for offset in chunk {
            let column = columnTaps.lowerBound + offset
            let value = values[origin + row * rowLength + column * channelCount + channel]
            if value > maximum { (maximum, tap) = (value, row * tapColumns + column) }
          }
        }
      }
      if question.isOver() { return }
      maxima[pixel + channel] = maximum.clamped(to: range)
      // As in MediaPipe, readers that truncate the sum get the right index despite inexact floats.
      taps[pixel + channel] = Float(tap) + 0.1
    }
  }
}
