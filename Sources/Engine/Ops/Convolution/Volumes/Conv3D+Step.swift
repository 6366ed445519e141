import OcellusKernelABI

extension Conv3D {
  /// The largest im2col matrix of one row of results, in bytes.
  private static let largestMatrix = 1 << 24

  /// Plans a GEMM by im2col: windows are copied to the rows of a matrix, those of one row of
  /// results at a time.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard context.numerics == .fast, case .float(let range) = arithmetic,
      var constants = ConstantWeights(context), constants.areFinite,
      let input = context.inputShapes[0], let weights = context.inputShapes[1],
      let geometry = window.geometry(over: input, taps: weights.dimensions[0..<3]),
      weights.elementCount > 0
    else { return nil }
    constants.transposition = .channelsToFront
    let volumeRows = VolumeRows(geometry, channels: input[4], depth: weights.product(of: 0..<4))
    let matrixBytes = saturatingProduct(volumeRows.length, volumeRows.depth, 4)
    guard matrixBytes <= Self.largestMatrix else { return nil }
    let patches = PatchGeometry(matrixOf: volumeRows.length, depth: volumeRows.depth)
    let channels = weights[4]
    let chosen = context.chooseFloatGEMM(
      GEMMProblem(patches, rows: volumeRows.length, columns: channels),
      times: input[0] * volumeRows.perItem)
    let panels = FloatPanels(
      kernel: chosen.kernel, bias: constants.floatBias, range: range, numerics: context.numerics)
    let packed = context.packedWeights(
      "volume product, \(chosen.choice.name)", layout: [volumeRows.depth, channels],
      decidedBy: [1, 2],
      byteCount: ArenaPlanner.aligned(panels.packedByteCount(columns: channels, patches))
    ) { packed in
      constants.withWeightBytes {
        panels.pack($0, channels: Array(0..<channels), patches, to: packed)
      }
    }
    let rowCount = input[0] * volumeRows.perItem
    let itemCount =
      context.threadCount > 1 ? min(4 * context.threadCount, max(rowCount, 1)) : 1
    let kernelBytes = ArenaPlanner.aligned(panels.scratchByteCount(patches))
    let itemBytes = kernelBytes + ArenaPlanner.aligned(matrixBytes)
    let resultBytes = volumeRows.length * channels * 4
    let blocks = WorkItemGrid(
      rows: volumeRows.length, multipleOf: panels.tileRows(patches), columns: channels,
      multipleOf: panels.panelColumns,
      multiplyAdds: saturatingProduct(volumeRows.length, volumeRows.depth, channels), threadCount: 1
    )
    return Step(
      kernelName: "volume product float32 \(context.kernels.name)", strategy: chosen.choice,
      scratchByteCount: itemCount * itemBytes, itemCount: itemCount
    ) { step, item in
      let scratch = step.scratch + item * itemBytes
      let matrix = scratch + kernelBytes
      for row in item * rowCount / itemCount..<(item + 1) * rowCount / itemCount {
        if step.workers.isOver { return }
        volumeRows.writeWindows(of: row, step.input(0), to: matrix)
        blocks.forEachBlock(step.workers) { rows, columns in
          panels.run(
            PanelBlock(
              patches: patches, input: UnsafeRawPointer(matrix), packed: packed.base,
              output: step.output(0) + row * resultBytes, outputStride: channels,
              rows: rows, columns: columns, epilogue: nil, scratch: scratch))
        }
      }
    }
  }
}

/// The rows of results of a convolution over volumes of floats, and their windows.
private struct VolumeRows {
  private let geometry: VolumeGeometry
  private let pixelBytes: Int
  /// The number of elements in a window.
  let depth: Int

  init(_ geometry: VolumeGeometry, channels: Int, depth: Int) {
    self.geometry = geometry
    self.depth = depth
    pixelBytes = channels * 4
  }

  /// The results in a row, and the rows in an item of the batch.
  var length: Int { geometry.columns.outputExtent }
  var perItem: Int { geometry.planes.outputExtent * geometry.rows.outputExtent }

  /// Writes the windows of all results of a row one after the other, with zeros outside the input.
  func writeWindows(
    of outputRow: Int, _ input: UnsafeRawPointer, to matrix: UnsafeMutableRawPointer
  ) {
    let (planes, rows, columns) = (geometry.planes, geometry.rows, geometry.columns)
    let (item, rowInItem) = outputRow.quotientAndRemainder(dividingBy: perItem)
    let (plane, row) = rowInItem.quotientAndRemainder(dividingBy: rows.outputExtent)
    let tapBytes = columns.tapCount * pixelBytes
    for planeTap in 0..<planes.tapCount {
      let z = planes.origin(of: plane) + planeTap * planes.dilation
      for rowTap in 0..<rows.tapCount {
        let y = rows.origin(of: row) + rowTap * rows.dilation
        let target = matrix + (planeTap * rows.tapCount + rowTap) * tapBytes
        guard (0..<planes.inputExtent).contains(z), (0..<rows.inputExtent).contains(y) else {
          for result in 0..<length { clear(target + result * depth * 4, count: tapBytes) }
          continue
        }
        let inputRow = (item * planes.inputExtent + z) * rows.inputExtent + y
        let source = input + inputRow * columns.inputExtent * pixelBytes
        for result in 0..<length {
          writeTaps(source, from: columns.origin(of: result), to: target + result * depth * 4)
        }
      }
    }
  }

  /// Writes the elements that a window covers in a row of the input.
  private func writeTaps(
    _ inputRow: UnsafeRawPointer, from first: Int, to target: UnsafeMutableRawPointer
  ) {
    let columns = geometry.columns
    let last = first + (columns.tapCount - 1) * columns.dilation
    if columns.dilation == 1, first >= 0, last < columns.inputExtent {
      target.copyMemory(
        from: inputRow + first * pixelBytes, byteCount: columns.tapCount * pixelBytes)
      return
    }
    for tap in 0..<columns.tapCount {
      let x = first + tap * columns.dilation
      let destination = target + tap * pixelBytes
      if (0..<columns.inputExtent).contains(x) {
        destination.copyMemory(from: inputRow + x * pixelBytes, byteCount: pixelBytes)
      } else {
        clear(destination, count: pixelBytes)
      }
    }
  }

  private func clear(_ memory: UnsafeMutableRawPointer, count: Int) {
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }
}
