import OcellusKernelABI

// GEMV: one row times all panels, in groups of four whose vectors are interleaved. The weights are
// one stream, every vector of which is loaded once and prefetched.

#if !LANE_PRODUCTS
  private let groupColumns = rowVectors &* FloatVector.scalarCount
  private let vectorBytes = MemoryLayout<FloatVector>.size

  /// Multiplies rows by all panels, group by group; blocks of columns begin where groups do.
  @inline(__always)
  func multiplyRow<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
  ) {
    let depth = arguments.patches.patchDepth, lanes = FloatVector.scalarCount
    let byteCount = packedFloatByteCount(columns: arguments.columns.count, depth: depth)
    let offsets = arguments.scratch.assumingMemoryBound(to: Int32.self)
    offsets.pointee = 0
    for row in arguments.rows {
      let rows = IndirectRows(
        start: arguments.input + row &* arguments.patches.pixelStride &* 4,
        offsets: UnsafePointer(offsets), count: 1, runs: 1, runStride: 0, runBytes: depth &* 4)
      var column = arguments.columns.lowerBound
      while column < arguments.columns.upperBound {
        let columns = smaller(groupColumns, arguments.columns.upperBound &- column)
        let output = arguments.results + (row &* arguments.outputStride &+ column)
        let panelGroup = FloatPanelGroup(
          rows: rows, panel: arguments.packed + column / lanes &* (depth &+ 1) &* vectorBytes,
          panelStride: vectorBytes, output: UnsafeMutableRawPointer(output), columns: columns,
          outputStride: 0, low: FloatVector(repeating: arguments.epilogue.minimum),
          high: FloatVector(repeating: arguments.epilogue.maximum))
        switch (columns &+ lanes &- 1) / lanes {
        case 1: multiply(panelGroup, of: byteCount, rounding, One.self)
        case 2: multiply(panelGroup, of: byteCount, rounding, Two.self)
        case 3: multiply(panelGroup, of: byteCount, rounding, Three.self)
        default: multiply(panelGroup, of: byteCount, rounding, Four.self)
        }
        column &+= columns
      }
    }
  }

  /// Computes one panel group, out of line so that accumulators share the registers with nothing
  /// else.
  @inline(never)
  private func multiply<Rounding: MultiplyAdd, Vectors: Literal>(
    _ panelGroup: FloatPanelGroup, of byteCount: Int, _: Rounding.Type, _: Vectors.Type
  ) {
    let step = Vectors.value &* vectorBytes
    var tile = AccumulatorTile<FloatArithmetic<Rounding>, One, Vectors>(
      panel: panelGroup.panel, panelStride: vectorBytes)
    if byteCount <= maximumPrefetchedBytes {
      tile.addProducts(
        panelGroup.rows, row: 0, weights: panelGroup.panel + step, panelStride: vectorBytes,
        streamStep: step, asksAhead: true)
    } else {
      tile.addProducts(
        panelGroup.rows, row: 0, weights: panelGroup.panel + step, panelStride: vectorBytes,
        streamStep: step)
    }
    panelGroup.applyEpilogue(tile, to: panelGroup.output)
  }
#endif
