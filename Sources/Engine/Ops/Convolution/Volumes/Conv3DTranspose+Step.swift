import OcellusKernelABI

extension Conv3DTranspose {
  /// The largest matrix of products of one input row, in bytes.
  private static let largestMatrix = 1 << 24

  /// Plans a GEMM of each input row with the weights of all taps of a plane, whose products are
  /// added to the plane of results at the positions of the window.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    let output = context.outputShapes[0]
    guard context.numerics == .fast, case .float(let range) = arithmetic,
      let constants = ConstantWeights(context, bias: 3), constants.areFinite,
      let input = context.inputShapes[2], let weights = context.inputShapes[1],
      let geometry = window.geometry(over: output, taps: weights.dimensions[0..<3]),
      weights.elementCount > 0
    else { return nil }
    let planes = VolumePlanes(geometry, channels: input[4], outputChannels: weights[3])
    let product = TapGEMM(planes, context)
    let tapPlanes = geometry.planes.tapCount
    // Panels of few columns would be mostly padding.
    guard product.matrixByteCount <= Self.largestMatrix,
      tapPlanes * product.packedByteCount / 64 <= constants.weights.bytes.count + 1024
    else { return nil }
    let packed = context.packedWeights(
      "transposed volume product", layout: [planes.columnCount, planes.channels],
      decidedBy: [1], byteCount: tapPlanes * product.packedByteCount
    ) { packed in
      constants.withWeightBytes { weights in
        for tap in 0..<tapPlanes {
          product.pack(
            weights + tap * planes.weightBytesPerPlane,
            to: packed + tap * product.packedByteCount)
        }
      }
    }
    let bias =
      constants.bias == nil
      ? [Float](repeating: 0, count: planes.outputChannels) : constants.floatBias
    let limits = FloatRange(lowerBound: range.lowerBound, upperBound: range.upperBound)
    let addBias = context.kernels.elementwise.floats
    let planeCount = output[0] * geometry.planes.inputExtent
    let itemCount = context.threadCount > 1 ? min(4 * context.threadCount, planeCount) : 1
    return Step(
      kernelName: "transposed volume product float32 \(context.kernels.name)",
      strategy: product.choice,
      scratchByteCount: itemCount * product.scratchByteCount, itemCount: itemCount
    ) { step, item in
      let scratch = step.scratch + item * product.scratchByteCount
      for plane in item * planeCount / itemCount..<(item + 1) * planeCount / itemCount {
        if step.workers.isOver { return }
        let target = step.output(0) + plane * planes.resultBytesPerPlane
        target.clear(byteCount: planes.resultBytesPerPlane, unless: step.workers.isOver)
        planes.forEachSource(of: plane, step.workers) { tap, inputRow, row in
          let products = product.run(
            step.input(2) + inputRow * planes.rowBytes,
            packed: packed.base + tap * product.packedByteCount, in: scratch, step.workers)
          planes.add(products, ofInputRow: row, to: target)
        }
        bias.withUnsafeBytes { bias in
          guard let bias = bias.baseAddress else { return }
          let pixelBytes = planes.outputChannels * 4
          step.workers.forEachSlice(
            of: 0..<planes.resultPixels, length: max(Step.longestSlice / planes.outputChannels, 1)
          ) { pixels in
            let results = target + pixels.lowerBound * pixelBytes
            addBias(
              .add, limits,
              BinaryRows(
                first: results, second: bias, output: results, rowLength: planes.outputChannels,
                rowCount: pixels.count, firstStride: pixelBytes))
          }
        }
      }
    }
  }
}

/// The GEMM of an input row with the weights of one plane of taps.
private struct TapGEMM {
  let choice: StrategyChoice
  private let panels: FloatPanels
  private let patches: PatchGeometry
  private let rowLength: Int
  private let columnCount: Int
  let packedByteCount: Int
  let matrixByteCount: Int
  private let kernelByteCount: Int
  private let blocks: WorkItemGrid

  init(_ planes: VolumePlanes, _ context: PlanContext) {
    rowLength = planes.rowLength
    patches = PatchGeometry(matrixOf: rowLength, depth: planes.channels)
    columnCount = planes.columnCount
    let chosen = context.chooseFloatGEMM(
      GEMMProblem(patches, rows: rowLength, columns: columnCount))
    choice = chosen.choice
    panels = FloatPanels(
      kernel: chosen.kernel, bias: [], range: -Float.infinity...Float.infinity,
      numerics: context.numerics)
    packedByteCount = ArenaPlanner.aligned(
      panels.packedByteCount(columns: columnCount, patches))
    matrixByteCount = saturatingProduct(rowLength, columnCount, 4)
    kernelByteCount = ArenaPlanner.aligned(panels.scratchByteCount(patches))
    blocks = WorkItemGrid(
      rows: rowLength, multipleOf: panels.tileRows(patches), columns: columnCount,
      multipleOf: panels.panelColumns,
      multiplyAdds: saturatingProduct(rowLength, planes.channels, columnCount), threadCount: 1)
  }

  /// The scratch of the kernel, and the products.
  var scratchByteCount: Int { kernelByteCount + ArenaPlanner.aligned(matrixByteCount) }

  func pack(_ weights: UnsafeRawPointer, to packed: UnsafeMutableRawPointer) {
    panels.pack(weights, channels: Array(0..<columnCount), patches, to: packed)
  }

  /// - Returns: the products of all columns for every pixel of the row.
  func run(
    _ inputRow: UnsafeRawPointer, packed: UnsafeRawPointer, in scratch: UnsafeMutableRawPointer,
    _ workers: WorkersReference
  ) -> UnsafePointer<Float> {
    let products = scratch + kernelByteCount
    blocks.forEachBlock(workers) { rows, columns in
      panels.run(
        PanelBlock(
          patches: patches, input: inputRow, packed: packed, output: products,
          outputStride: columnCount, rows: rows, columns: columns, epilogue: nil,
          scratch: scratch))
    }
    return UnsafePointer(products.assumingMemoryBound(to: Float.self))
  }
}

/// The planes of results of a transposed convolution over volumes, and the sums that they consist
/// of.
private struct VolumePlanes {
  /// The window over the results; its positions are the pixels of the input.
  private let geometry: VolumeGeometry
  let channels: Int
  let outputChannels: Int

  init(_ geometry: VolumeGeometry, channels: Int, outputChannels: Int) {
    self.geometry = geometry
    self.channels = channels
    self.outputChannels = outputChannels
  }

  /// The number of pixels of an input row.
  var rowLength: Int { geometry.columns.outputExtent }
  var rowBytes: Int { rowLength * channels * 4 }
  /// The number of products of a pixel with the weights of a plane of taps.
  var columnCount: Int { geometry.rows.tapCount * geometry.columns.tapCount * outputChannels }
  var weightBytesPerPlane: Int { columnCount * channels * 4 }
  var resultPixels: Int { geometry.rows.inputExtent * geometry.columns.inputExtent }
  var resultBytesPerPlane: Int { resultPixels * outputChannels * 4 }

  /// Visits the input rows that contribute to a plane of results, until the run is stopped.
  ///
  /// `visit` gets the index of the plane of taps, the index of the input row among all rows, and
  /// its index within its plane.
  func forEachSource(
    of plane: Int, _ workers: WorkersReference,
    _ visit: (_ tap: Int, _ inputRow: Int, _ row: Int) -> Void
  ) {
    let (planes, rows) = (geometry.planes, geometry.rows)
    let (item, z) = plane.quotientAndRemainder(dividingBy: planes.inputExtent)
    for source in planes.outputs(coveringInput: z) {
      let (tap, rest) = (z - planes.origin(of: source)).quotientAndRemainder(
        dividingBy: planes.dilation)
      guard rest == 0 else { continue }
      for row in 0..<rows.outputExtent {
        if workers.isOver { return }
        visit(tap, (item * planes.outputExtent + source) * rows.outputExtent + row, row)
      }
    }
  }

  /// Adds the products of an input row to a plane of results.
  func add(
    _ products: UnsafePointer<Float>, ofInputRow row: Int, to plane: UnsafeMutableRawPointer
  ) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let results = plane.assumingMemoryBound(to: Float.self)
    for rowTap in rows.taps(at: row) {
      let y = rows.origin(of: row) + rowTap * rows.dilation
      for position in 0..<columns.outputExtent {
        for columnTap in columns.taps(at: position) {
          let x = columns.origin(of: position) + columnTap * columns.dilation
          let tap = (position * rows.tapCount + rowTap) * columns.tapCount + columnTap
          let source = products + tap * outputChannels
          let target = results + (y * columns.inputExtent + x) * outputChannels
          for channel in 0..<outputChannels { target[channel] += source[channel] }
        }
      }
    }
  }
}
