import OcellusModelFile

/// AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D: reduce each window to one number per channel.
package struct Pool2D: Operator {
  package enum Kind: Sendable {
    case average, maximum, rootMeanSquare
  }

  package static let average = definition("AVERAGE_POOL_2D", .average)
  package static let rootMeanSquare = definition("L2_POOL_2D", .rootMeanSquare)
  package static let maximum = definition("MAX_POOL_2D", .maximum)

  private static func definition(_ name: String, _ kind: Kind) -> OperatorDefinition {
    let isFloatOnly = kind == .rootMeanSquare
    return OperatorDefinition(
      name, versions: isFloatOnly ? 1...1 : 1...3,
      types: isFloatOnly ? [.float32] : [.float32, .uint8, .int8, .int16],
      make: { node throws(ModelError) in try Self(node, kind: kind) })
  }

  package let kind: Kind
  package let window: WindowOptions
  package let tapRows: Int
  package let tapColumns: Int
  package let activation: FusedActivation
  /// The range to which integer results are clamped.
  package let range: ClosedRange<Int32>

  init(_ node: NodeSpec, kind: Kind) throws(ModelError) {
    self.kind = kind
    try node.requireOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.require(
      input.type == output.type, "input is \(input.type.name), output is \(output.type.name)")
    let options = node.options(BuiltinOptionsTag.pool2D)
    window = try WindowOptions(options)
    tapColumns = try options.integer(3)
    tapRows = try options.integer(4)
    try node.require(tapRows >= 1 && tapColumns >= 1, "the window has no extent")
    activation = try FusedActivation(options, field: 5)
    range =
      input.type == .float32 ? 0...0 : try activation.quantizedRange(of: output, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    try context.require(input.rank == 4, "the input must have 4 dimensions")
    // If the window does not fit, the official kernels make an empty result.
    let columns = window.columns(over: input, tapCount: tapColumns)
    let rows = columns == nil ? nil : window.rows(over: input, tapCount: tapRows)
    return [Shape([input[0], rows?.outputExtent ?? 0, columns?.outputExtent ?? 0, input[3]])]
  }

  /// Returns the geometry of the window over an input of this shape; `nil` if the window does not
  /// fit.
  package func geometry(input: Shape) -> WindowGeometry? {
    window.geometry(over: input, tapRows: tapRows, tapColumns: tapColumns)
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let input = context.shape(0)
    guard let geometry = geometry(input: input) else { return 0 }
    return saturatingProduct(
      input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, input[3],
      min(tapRows, input[1]), min(tapColumns, input[2]))
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    guard output.elementCount > 0, let geometry = geometry(input: input.shape) else { return }
    if context.isDelegated, kind == .average, input.type == .float32 {
      return try delegatedAveragePool(geometry, over: input.shape).run(context)
    }
    let loop = PoolLoop(
      geometry: geometry, input: input, output: output, control: context.control)
    let range = floatRange(isDelegated: context.isDelegated)
    try context.charging(byteCount: loop.workingByteCount) { run(loop, input.type, range) }
  }

  /// Returns the pool of floats in XNNPACK's order.
  func delegatedAveragePool(
    _ geometry: WindowGeometry, over input: Shape
  ) -> DelegatedAveragePool {
    DelegatedAveragePool(
      geometry: geometry, range: activation.floatRange.keepingInfinities, imageCount: input[0],
      channels: input[3])
  }

  /// Returns the limits of results, which keep infinities if XNNPACK computes them.
  func floatRange(isDelegated: Bool) -> ClosedRange<Float> {
    isDelegated ? activation.floatRange.keepingInfinities : activation.floatRange
  }

  private func run(_ loop: PoolLoop, _ type: ElementType, _ floatRange: ClosedRange<Float>) {
    switch type {
    case .uint8: runQuantized(loop, UInt8.self)
    case .int8: runQuantized(loop, Int8.self)
    case .int16: runQuantized(loop, Int16.self)
    default:
      switch kind {
      case .average: loop.run(WindowMean(range: floatRange))
      case .maximum:
        loop.run(WindowMaximum(lowest: -Float.greatestFiniteMagnitude, range: floatRange))
      case .rootMeanSquare: loop.run(WindowRootMeanSquare(range: floatRange))
      }
    }
  }

  private func runQuantized<Element: FixedWidthInteger & BitwiseCopyable>(
    _ loop: PoolLoop, _: Element.Type
  ) {
    if kind == .average {
      loop.run(QuantizedWindowMean<Element>(range: range))
    } else {
      let bounds =
        Element(
          truncatingIfNeeded: range.lowerBound)...Element(truncatingIfNeeded: range.upperBound)
      loop.run(WindowMaximum<Element>(lowest: .min, range: bounds))
    }
  }
}
