import OcellusKernelABI

/// A transposed convolution with constant weights, on the tuned kernels.
///
/// With a stride of s, every s-th output of an axis is an ordinary convolution with the taps that
/// fall on inputs. There are s² such convolutions, and none multiplies by inserted zeros. Where
/// there are few output channels, s neighbouring outputs of a row are computed together, as
/// channels of one pixel.
struct TransposedConvolution {
  /// The window over the output; each of its positions is a pixel of the input.
  let geometry: WindowGeometry
  let itemCount: Int
  let inputChannels: Int
  let outputChannels: Int
  /// The position of the input among the operands.
  let inputPosition: Int
  /// Whether images and windows are turned upside down, which reverses the order of taps; the
  /// geometry is that of the turned images.
  var isTurned = false

  /// Files with strides far beyond those of real models must not lead to a million convolutions.
  private static let maximumPhases = 256

  /// Returns a step in the arithmetic that the node asks for, or `nil` if there is no kernel for
  /// it.
  func step(_ arithmetic: WeightedArithmetic, bias: Int, _ context: PlanContext) -> Step? {
    guard let constants = ConstantWeights(context, bias: bias) else { return nil }
    let kernels = context.kernels
    switch KernelArithmetic(
      arithmetic, constants, context, channels: outputChannels, input: inputPosition)
    {
    case .float(let range):
      guard constants.areFinite(asBFloat16: context.multipliesBFloat16) else { return nil }
      // A gap is a multiplication by zero, which makes NaN of infinite inputs.
      guard let phases = phases(panelColumns: kernels.floatColumns, mergesGaps: false) else {
        return nil
      }
      let chosen = context.chooseRoundableGEMM(
        phases.convolutions.map { $0.problem(itemCount: itemCount) })
      let panels = FloatPanels(
        kernel: chosen.kernel, bias: constants.floatBias, range: range, numerics: context.numerics,
        multipliesBFloat16: context.multipliesBFloat16)
      var ofNothing = panels
      ofNothing.kernel = context.chooseFloatGEMM(nothing).kernel
      return step(panels, ofNothing, as: chosen.choice, phases, constants, context)
    case .int16(let arithmetic):
      let panels = Int16Panels(kernel: kernels.int16GEMM, arithmetic: arithmetic)
      return phases(panelColumns: panels.panelColumns, mergesGaps: true).flatMap {
        step(panels, panels, $0, constants, context)
      }
    case .bytes(let arithmetic):
      guard let phases = phases(panelColumns: kernels.byteColumns, mergesGaps: true) else {
        return nil
      }
      let chosen = context.chooseQuantizedGEMM(
        phases.convolutions.map { $0.problem(itemCount: itemCount, arithmetic) })
      let panels = QuantizedPanels(
        name: context.node.outputs[0].type.name, kernel: chosen.kernel, arithmetic: arithmetic,
        bias: constants.bias32)
      var ofNothing = panels
      ofNothing.kernel = context.chooseQuantizedGEMM(nothing).kernel
      return step(panels, ofNothing, as: chosen.choice, phases, constants, context)
    case .hybrid(let hybrid):
      guard hybrid.scalesProducts else { return nil }
      return ScaledTransposedConvolution(
        geometry: geometry, itemCount: itemCount, inputChannels: inputChannels,
        outputChannels: outputChannels, inputPosition: inputPosition, hybrid: hybrid
      ).step(constants, context)
    case nil:
      return nil
    }
  }

  /// Returns the convolutions that it consists of; `nil` where there would be too many, or none.
  private func phases(panelColumns: Int, mergesGaps: Bool) -> Phases? {
    let rows = OutputPhase.all(geometry.rows)
    let columns = columnPhases(panelColumns: panelColumns, mergesGaps: mergesGaps)
    guard !rows.isEmpty, !columns.isEmpty, rows.count * columns.count <= Self.maximumPhases else {
      return nil
    }
    return Phases(
      rowCount: rows.count, columnCount: columns.reduce(0) { $0 + $1.taps.count },
      convolutions: rows.flatMap { row in columns.map { Convolution(self, row, $0) } })
  }

  /// The GEMM that computes output pixels without inputs.
  private var nothing: GEMMProblem {
    GEMMProblem(PatchGeometry(matrixOf: 1, depth: 1), rows: 1, columns: outputChannels)
  }

  private func step<Arithmetic: PanelArithmetic>(
    _ arithmetic: Arithmetic, _ ofNothing: Arithmetic, as choice: StrategyChoice? = nil,
    _ phases: Phases, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let convolutions = phases.convolutions.map { $0.sliced(for: arithmetic) }
    let sizes = convolutions.map {
      ArenaPlanner.aligned(arithmetic.packedByteCount(columns: $0.columnCount, $0.patches))
    }
    let offsets = sizes.indices.map { sizes[..<$0].reduce(0, +) }
    guard sizes.reduce(0, +) / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    let packed = context.packedWeights(
      "transposed convolution \(arithmetic.name), \(choice?.name ?? "")",
      layout: [isTurned ? 1 : 0] + convolutions.flatMap(\.layout),
      byteCount: sizes.reduce(0, +)
    ) {
      packed in
      constants.withWeightBytes { weights in
        for (convolution, offset) in zip(convolutions, offsets) {
          let filter = convolution.weights(from: weights, self, arithmetic)
          filter.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            arithmetic.pack(
              start, channels: convolution.channels(outputChannels), convolution.patches,
              to: packed + offset)
          }
        }
      }
    }
    let gaps = Gaps(
      geometry, phases,
      pixel: ofNothing.biasPixel(channels: outputChannels))
    let groupsPerItem =
      (geometry.rows.inputExtent + geometry.rows.stride - 1) / geometry.rows.stride
    let groupCount = itemCount * groupsPerItem
    let grid = WorkItemGrid(
      rows: groupCount, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(
        groupCount, geometry.columns.outputExtent, constants.weights.elementCount),
      threadCount: context.threadCount)
    let scratchBytes = convolutions.map { arithmetic.scratchByteCount($0.patches) }.max() ?? 0
    let turned = isTurned ? TurnedImages(self) : nil
    let turnedBytes = turned?.byteCount ?? 0
    let loop = WorkItemLoop<StepContext> { step, workItem in
      let input = turned.map { _ in UnsafeRawPointer(step.scratch) } ?? step.input(inputPosition)
      let output = turned.map { step.scratch + $0.inputByteCount } ?? step.output(0)
      let groups = grid[workItem].rows
      // Group by group, so all convolutions find the input in a near cache.
      for group in groups {
        if group > groups.lowerBound, step.workers.isOver { return }
        gaps?.fill(group..<group + 1, ofItems: groupsPerItem, in: output, step.workers)
        for (convolution, offset) in zip(convolutions, offsets) {
          convolution.run(
            group: group, ofItems: groupsPerItem, arithmetic,
            PanelBlock(
              patches: convolution.patches, input: input,
              packed: packed.base + offset, output: output,
              outputStride: convolution.outputStride, rows: 0..<0,
              columns: 0..<convolution.columnCount, epilogue: nil,
              scratch: step.scratch + turnedBytes + workItem * scratchBytes), step.workers)
        }
      }
    }
    return Step(
      kernelName: "transposed convolution \(arithmetic.name) \(context.kernels.name)",
      strategy: choice,
      scratchByteCount: turnedBytes + scratchBytes * grid.count
    ) { step in
      turned?.turnInput(step.input(inputPosition), in: step.scratch, step.workers)
      step.workers.run(grid.count, loop, step)
      turned?.turnOutput(in: step.scratch, to: step.output(0), step.workers)
    }
  }

  /// Returns the phases of the columns, separate or merged, whichever takes fewer vectors.
  private func columnPhases(panelColumns: Int, mergesGaps: Bool) -> [OutputPhase] {
    let single = OutputPhase.all(geometry.columns)
    guard let merged = OutputPhase.merging(geometry.columns), mergesGaps || !merged.hasGaps else {
      return single
    }
    func vectors(_ phase: OutputPhase) -> Int {
      let channels = phase.taps.count * outputChannels
      return (channels + panelColumns - 1) / panelColumns * phase.reach
    }
    return single.map(vectors).reduce(0, +) < vectors(merged) ? single : [merged]
  }
}

/// The phases of the outputs, and the convolutions that compute them.
private struct Phases {
  /// The numbers of phases of output rows and of output columns.
  let rowCount: Int
  let columnCount: Int
  let convolutions: [Convolution]
}

/// The output pixels that no window covers, since windows are smaller than their stride.
private struct Gaps: Sendable {
  private let rows: WindowAxis
  private let columns: WindowAxis
  private let pixel: [UInt8]

  /// - Returns: `nil` where there are none.
  init?(
    _ window: WindowGeometry, _ phases: Phases, pixel: @autoclosure () -> [UInt8]
  ) {
    (rows, columns) = (window.rows, window.columns)
    let all = (min(rows.stride, rows.inputExtent), min(columns.stride, columns.inputExtent))
    guard (phases.rowCount, phases.columnCount) != all else { return nil }
    self.pixel = pixel()
  }

  /// Fills groups of neighbouring rows, one group for each position of the window.
  func fill(
    _ groups: Range<Int>, ofItems groupsPerItem: Int, in output: UnsafeMutableRawPointer,
    _ workers: WorkersReference
  ) {
    let rowBytes = columns.inputExtent * pixel.count
    for group in groups {
      let (item, first) = (group / groupsPerItem, group % groupsPerItem * rows.stride)
      let count = min(rows.stride, rows.inputExtent - first)
      let start = output + (item * rows.inputExtent + first) * rowBytes
      let atOnce = max(Step.longestSlice / pixel.count, 1)
      workers.forEachSlice(of: 0..<count * columns.inputExtent, length: atOnce) { positions in
        pixel.withUnsafeBytes {
          for position in positions {
            UnsafeMutableRawBufferPointer(
              start: start + position * pixel.count, count: pixel.count
            ).copyMemory(from: $0)
          }
        }
      }
    }
  }
}

/// One of the convolutions that a transposed convolution consists of.
private struct Convolution: Sendable {
  let patches: PatchGeometry
  let columnCount: Int
  /// The distance in elements from one output pixel of this convolution to the next.
  let outputStride: Int
  private let rowTaps: [Int]
  private let columnTaps: [[Int?]]
  /// The offset of an item's first pixel in the output, and the distances of rows and of items.
  private let firstElement: Int
  private let rowStride: Int
  private let itemStride: Int
  /// The number of pixels of a row that one kernel call computes.
  private var rowsPerCall = 1

  init(
    _ product: TransposedConvolution, _ rows: OutputPhase, _ columns: OutputPhase
  ) {
    let (channels, geometry) = (product.outputChannels, product.geometry)
    var patches = PatchGeometry(
      inputHeight: geometry.rows.outputExtent, inputWidth: geometry.columns.outputExtent,
      channels: product.inputChannels)
    patches.windowHeight = rows.reach
    patches.windowWidth = columns.reach
    patches.paddingTop = -rows.origin
    patches.paddingLeft = -columns.origin
    patches.outputHeight = rows.count
    patches.outputWidth = columns.count
    self.patches = patches
    columnCount = columns.taps.count * channels
    outputStride = geometry.columns.stride * channels
    rowTaps = rows.taps[0].compactMap { $0 }
    columnTaps = columns.taps
    let outputWidth = geometry.columns.inputExtent
    firstElement = (rows.first * outputWidth + columns.first) * channels
    rowStride = geometry.rows.stride * outputWidth * channels
    itemStride = geometry.rows.inputExtent * outputWidth * channels
  }

  /// Returns the convolution with as many pixels per kernel call as suit the kernel.
  func sliced(for arithmetic: some PanelArithmetic) -> Convolution {
    var sliced = self
    sliced.rowsPerCall = WorkItemGrid.rowsPerCall(
      depth: patches.depth, columns: columnCount, multipleOf: arithmetic.tileRows(patches))
    return sliced
  }

  /// Returns the problem of the convolution for GEMM strategies.
  func problem(itemCount: Int, _ arithmetic: QuantizedKernelSpec? = nil) -> GEMMProblem {
    let rows = itemCount * patches.outputHeight * patches.outputWidth
    var problem = GEMMProblem(patches, rows: rows, columns: columnCount)
    if let arithmetic {
      problem.rowBytes = arithmetic.input.rowBytes
      problem.filter = arithmetic.filter
      problem.results = arithmetic.results
    }
    problem.isRowByRow = true
    return problem
  }

  /// The taps of every column, which depend on padding and extents; -1 for missing ones.
  var layout: [Int] {
    [patches.windowHeight, patches.windowWidth, columnTaps.count] + rowTaps
      + columnTaps.flatMap { $0.map { $0 ?? -1 } }
  }

  /// Returns the output channel of every column.
  func channels(_ count: Int) -> [Int] { columnTaps.flatMap { _ in 0..<count } }

  /// Returns the weights of every column, from weights in the order of the file: output channels,
  /// rows, columns, input channels.
  func weights(
    from weights: UnsafeRawPointer, _ product: TransposedConvolution,
    _ arithmetic: some PanelArithmetic
  ) -> [UInt8] {
    let runBytes = product.inputChannels * arithmetic.weightBytes
    let (height, width) = (product.geometry.rows.tapCount, product.geometry.columns.tapCount)
    var packed: [UInt8] = []
    packed.reserveCapacity(columnCount * patches.depth * arithmetic.weightBytes)
    for taps in columnTaps {
      for channel in 0..<product.outputChannels {
        for rowTap in rowTaps {
          for columnTap in taps {
            guard let columnTap else {
              packed.append(contentsOf: repeatElement(arithmetic.zeroWeight, count: runBytes))
              continue
            }
            let tap =
              product.isTurned
              ? ((channel + 1) * height - 1 - rowTap) * width + width - 1 - columnTap
              : (channel * height + rowTap) * width + columnTap
            packed.append(
              contentsOf: UnsafeRawBufferPointer(start: weights + tap * runBytes, count: runBytes))
          }
        }
      }
    }
    return packed
  }

  /// Computes the row of one group, counted over the items with `groupsPerItem` groups each; this
  /// convolution may have one row less per item.
  func run(
    group: Int, ofItems groupsPerItem: Int, _ arithmetic: some PanelArithmetic, _ block: PanelBlock,
    _ workers: WorkersReference
  ) {
    let (item, y) = (group / groupsPerItem, group % groupsPerItem)
    guard y < patches.outputHeight else { return }
    let first = (item * patches.outputHeight + y) * patches.outputWidth
    let element = firstElement + item * itemStride + y * rowStride
    var block = block
    block.output += (element - first * outputStride) * arithmetic.outputBytes
    workers.forEachSlice(of: first..<first + patches.outputWidth, length: rowsPerCall) {
      block.rows = $0
      arithmetic.run(block)
    }
  }
}
