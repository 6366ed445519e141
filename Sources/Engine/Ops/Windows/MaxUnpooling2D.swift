import OcellusKernelABI
import Synchronization

/// MediaPipe's custom operator `MaxUnpooling2D`: writes maxima to the taps of the windows that they
/// came from, and zeros elsewhere.
package struct MaxUnpooling2D: Operator {
  package static let definition = OperatorDefinition(
    "MaxUnpooling2D", types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  /// The window as it moves over the *output*.
  private let window: WindowOptions
  private let tapRows: Int
  private let tapColumns: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    for tensor in [try node.input(0), try node.input(1), try node.output(0)] {
      try node.require(tensor, .float32)
    }
    let structure = try node.structOptions(count: 5)
    window = try WindowOptions(structure: structure, node: node)
    (tapColumns, tapRows) = (structure[3], structure[4])
    try node.require(tapRows >= 1 && tapColumns >= 1, "the window has no extent")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, taps) = (context.shape(0), context.shape(1))
    try context.require(input.rank == 4, "the input must have 4 dimensions")
    try context.require(input == taps, "there must be as many taps as maxima")
    return [
      Shape([
        input[0], try context.product(input[1], tapRows),
        try context.product(input[2], tapColumns), input[3],
      ])
    ]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    guard
      let maxima = input.values(Float.self).baseAddress,
      let taps = context.input(1).values(Float.self).baseAddress,
      let values = output.values(Float.self).baseAddress
    else { return }
    scatter(maxima, taps, input.shape, to: values, output.shape) { context.control.isOver }
  }

  private func scatter(
    _ maxima: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ input: Shape,
    to values: UnsafeMutablePointer<Float>, _ output: Shape, unless isOver: () -> Bool
  ) {
    let elementsAtOnce = StoppableWork.workBetweenPolls
    UnsafeMutableRawPointer(values).clear(
      byteCount: output.elementCount * MemoryLayout<Float>.stride, unless: isOver())
    let (rowCount, columnCount) = (input[1], input[2])
    let (channelCount, outputRows, outputColumns) = (input[3], output[1], output[2])
    let rowPadding = Self.padding(
      windows: rowCount, taps: tapRows, stride: window.rowStride, extent: outputRows)
    let columnPadding = Self.padding(
      windows: columnCount, taps: tapColumns, stride: window.columnStride, extent: outputColumns)
    for index in 0..<input.elementCount {
      if index % elementsAtOnce == 0, isOver() { return }
      let (pixel, channel) = index.quotientAndRemainder(dividingBy: channelCount)
      let (imageRow, column) = pixel.quotientAndRemainder(dividingBy: columnCount)
      let (item, row) = imageRow.quotientAndRemainder(dividingBy: rowCount)
      // As in MediaPipe, maxima with a tap outside the output are omitted.
      let tap = Int(Int32(saturating: taps[index]))
      let targetRow = row * window.rowStride - rowPadding + tap / tapColumns
      let targetColumn = column * window.columnStride - columnPadding + tap % tapColumns
      guard (0..<outputRows).contains(targetRow), (0..<outputColumns).contains(targetColumn)
      else { continue }
      let target = (item * outputRows + targetRow) * outputColumns + targetColumn
      values[target * channelCount + channel] = maxima[index]
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard window.rowStride == tapRows, window.columnStride == tapColumns,
      let input = context.inputShapes[0]
    else { return nil }
    let output = context.outputShapes[0]
    let unpool = context.kernels.pooling.unpoolFloat
    let grid = WorkItemGrid(
      rows: input[0] * input[1], multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: output.elementCount, threadCount: context.threadCount,
      maximumBlockWork: Step.longestSlice)
    // Each work item records in scratch memory whether all its taps were inside their windows.
    let loop = WorkItemLoop<StepContext> { step, item in
      var areInside = true
      grid.forEachBlock(of: item, step.workers) { rows, _ in
        let isInside = unpool(
          UnpoolingArguments(
            input: step.input(0).assumingMemoryBound(to: Float.self),
            indices: step.input(1).assumingMemoryBound(to: Float.self),
            output: step.output(0).assumingMemoryBound(to: Float.self), rows: rows,
            columnCount: input[2], channels: input[3], windowHeight: tapRows,
            windowWidth: tapColumns))
        areInside = areInside && isInside
      }
      step.scratch.storeBytes(of: areInside, toByteOffset: item, as: Bool.self)
    }
    return Step(
      kernelName: "maximum unpool float32 \(context.kernels.name)", scratchByteCount: grid.count
    ) { step in
      step.workers.run(grid.count, loop, step)
      // If the run was stopped, some work items have recorded nothing.
      if step.workers.isOver { return }
      let areInside = step.scratch.assumingMemoryBound(to: Bool.self)
      for item in 0..<grid.count where !areInside[item] {
        return scatter(
          step.input(0).assumingMemoryBound(to: Float.self),
          step.input(1).assumingMemoryBound(to: Float.self), input,
          to: step.output(0).assumingMemoryBound(to: Float.self), output
        ) { step.workers.isOver }
      }
    }
  }

  /// Returns the number of elements by which the first window starts before the output.
  private static func padding(windows: Int, taps: Int, stride: Int, extent: Int) -> Int {
    max((windows - 1) * stride + taps - extent, 0) / 2
  }
}
