import OcellusKernelABI

/// A transposed convolution of rounded floats with constant quantized weights, on the tuned kernel
/// that scales every product to a float.
struct ScaledTransposedConvolution {
  /// The window over the output; each of its positions is a pixel of the input.
  let geometry: WindowGeometry
  let itemCount: Int
  let inputChannels: Int
  let outputChannels: Int
  /// The position of the input among the operands.
  let inputPosition: Int
  let hybrid: HybridWeights

  private var tapCount: Int { geometry.rows.tapCount * geometry.columns.tapCount }

  /// Returns a step, or `nil` if packed weights would be mostly padding.
  func step(_ constants: ConstantWeights, _ context: PlanContext) -> Step? {
    let kernel = context.kernels.scaledProducts
    let width =
      (outputChannels + kernel.panelColumns - 1) / kernel.panelColumns * kernel.panelColumns
    // Scales and biases come first.
    let rowCount = saturatingProduct(tapCount, inputChannels) &+ 2
    let packedBytes = saturatingProduct(rowCount, width, 4)
    guard packedBytes / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    let packed = context.packedWeights("scaled transposed convolution", byteCount: packedBytes) {
      pack(constants, width: width, to: $0.assumingMemoryBound(to: Float.self))
    }
    let itemElements =
      geometry.rows.outputExtent * geometry.columns.outputExtent * inputChannels
    let source = DynamicallyQuantizedInput(
      itemCount: itemCount, elementsPerItem: itemElements,
      rounding: hybrid.rounding, context)
    let outputRowCount = itemCount * geometry.rows.inputExtent
    let grid = WorkItemGrid(
      rows: outputRowCount, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(
        itemCount * geometry.rows.outputExtent, geometry.columns.outputExtent,
        constants.weights.elementCount, 8),
      threadCount: context.threadCount)
    let floatBytes = ArenaPlanner.aligned(itemCount * itemElements * 4)
    let runBytes = ArenaPlanner.aligned(tapCount * MemoryLayout<ScaledProductSegment>.stride)
    let loop = WorkItemLoop<(step: StepContext, input: ScaledInput)> { run, workItem in
      let scratch = run.step.scratch + source.scratchByteCount + floatBytes + workItem * runBytes
      let runs = scratch.bindMemory(to: ScaledProductSegment.self, capacity: tapCount)
      for outputRow in grid[workItem].rows {
        compute(
          outputRow: outputRow, run.input, packed.base.assumingMemoryBound(to: Float.self),
          width: width,
          runs: runs, to: run.step.output(0), kernel)
      }
    }
    let convert = context.kernels.elementwise.converted
    return Step(
      kernelName: "scaled transposed convolution \(context.kernels.name)",
      scratchByteCount: source.scratchByteCount + floatBytes + runBytes * grid.count
    ) { step in
      let rounded = source.round(
        step.input(inputPosition), scratch: step.scratch, workers: step.workers)
      let floats = step.scratch + source.scratchByteCount
      for item in 0..<itemCount {
        convert(
          .dequantize(.int8, scale: 1, zeroPoint: rounded.rows[item].zeroPoint),
          ElementRow(
            input: rounded.bytes + item * itemElements, output: floats + item * itemElements * 4,
            count: itemElements))
      }
      let input = ScaledInput(
        steps: floats.assumingMemoryBound(to: Float.self), itemElements: itemElements,
        rows: rounded.rows)
      step.workers.run(grid.count, loop, (step, input))
    }
  }

  /// Writes scales, biases, and then the weights of all channels for every element of the window.
  private func pack(
    _ constants: ConstantWeights, width: Int, to packed: UnsafeMutablePointer<Float>
  ) {
    let bias = constants.floatBias
    for channel in 0..<outputChannels {
      packed[channel] = hybrid.scale(of: channel)
      // Adding negative zero changes nothing.
      packed[width + channel] = bias.isEmpty ? -0.0 : bias[channel]
    }
    let rows = packed + 2 * width
    let depth = tapCount * inputChannels
    constants.withWeightBytes { bytes in
      let weights = bytes.assumingMemoryBound(to: Int8.self)
      for channel in 0..<outputChannels {
        for element in 0..<depth {
          rows[element * width + channel] = Float(weights[channel * depth + element])
        }
      }
    }
  }

  /// Computes one row of the output; `outputRow` counts the rows of all items.
  ///
  /// Pixels that are a stride apart have the same weights; one kernel call computes those whose
  /// windows cover equally many inputs.
  private func compute(
    outputRow: Int, _ input: ScaledInput, _ packed: UnsafePointer<Float>, width: Int,
    runs: UnsafeMutablePointer<ScaledProductSegment>, to output: UnsafeMutableRawPointer,
    _ kernel: ScaledProducts
  ) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (item, row) = (outputRow / rows.inputExtent, outputRow % rows.inputExtent)
    for first in 0..<min(columns.stride, columns.inputExtent) {
      var column = first
      while column < columns.inputExtent {
        let count = findRuns(row: row, column: column, runs)
        let pixels = likePixels(from: column)
        kernel.run(
          ScaledProductArguments(
            input: input.steps + item * input.itemElements, scale: input.rows[item].scale,
            runs: UnsafeBufferPointer(start: runs, count: count), runLength: inputChannels,
            inputStride: inputChannels, weights: packed + 2 * width, scales: packed,
            bias: packed + width, columns: outputChannels, minimum: hybrid.range.lowerBound,
            maximum: hybrid.range.upperBound, pixels: pixels,
            output: output + (outputRow * columns.inputExtent + column) * outputChannels * 4,
            outputStride: columns.stride * outputChannels))
        column += pixels * columns.stride
      }
    }
  }

  /// Returns the number of pixels of a row, from `column` on and a stride apart, that cover the
  /// same inputs, each shifted by one pixel.
  private func likePixels(from column: Int) -> Int {
    let columns = geometry.columns
    let sources = columns.outputs(coveringInput: column)
    var count = 1
    while column + count * columns.stride < columns.inputExtent,
      columns.outputs(coveringInput: column + count * columns.stride)
        == sources.lowerBound + count..<sources.upperBound + count
    {
      count += 1
    }
    return count
  }

  /// Finds the input pixels that contribute to an output pixel, in the order of the input, and
  /// returns their number.
  private func findRuns(
    row: Int, column: Int, _ runs: UnsafeMutablePointer<ScaledProductSegment>
  ) -> Int {
    let (rows, columns) = (geometry.rows, geometry.columns)
    var count = 0
    for sourceRow in rows.outputs(coveringInput: row) {
      let rowTap = row - rows.origin(of: sourceRow)
      for sourceColumn in columns.outputs(coveringInput: column) {
        let tap = rowTap * columns.tapCount + column - columns.origin(of: sourceColumn)
        let pixel = sourceRow * columns.outputExtent + sourceColumn
        runs[count] = ScaledProductSegment(
          input: pixel * inputChannels, weightRow: tap * inputChannels)
        count += 1
      }
    }
    return count
  }
}

/// Rounded items as floats, with their zero points subtracted.
private struct ScaledInput {
  let steps: UnsafePointer<Float>
  let itemElements: Int
  /// The rounding of each item.
  let rows: UnsafePointer<RowQuantization>
}
