import OcellusKernelABI

// Weights for few rows (GEMV) are stored apart from the heads of the panels, so that nodes with the
// same weights but different scales share them. Such shared weights begin with the sums of the
// columns, a vector per panel. The weights follow, with the panels of a group interleaved step by
// step, so that they are read as one stream.

/// The weights of one panel group.
struct GEMVPanelGroupWeights {
  /// The weights of the first panel.
  var start: UnsafeRawPointer
  /// The distance in bytes to the next panel or, if panels are interleaved, to the next step.
  var stride: Int
  /// Whether the weights are packed for GEMV.
  var areForGEMV: Bool
  /// The size of all weights for few rows.
  var byteCount: Int

  /// Finds the weights from a panel on, which are inside the panels if there are no others.
  @inline(__always)
  init(
    _ header: PackedHeader, panels: UnsafeRawPointer, panelStride: Int, panel: Int, depth: Int
  ) {
    areForGEMV = header.rowWeights != nil
    byteCount = 0
    guard let weights = header.rowWeights else {
      start = panels + (panel &* panelStride &+ scaleBytes)
      stride = panelStride
      return
    }
    let layout = PanelLayout(ofRowWeights: Int(header.rowPanels), depth: depth)
    start = weights + layout.start(ofPanel: panel)
    byteCount = layout.byteCount
    stride =
      interleavedPanels > 1 ? layout.stride(ofPanel: panel) : layout.steps &* rowWeightBytes
  }
}

extension PanelLayout {
  /// Creates the layout of weights for few rows.
  @inline(__always)
  init(ofRowWeights panels: Int, depth: Int) {
    self.init(
      panels: panels, steps: quantizedSteps(depth), vectorBytes: rowWeightBytes,
      sideBySide: interleavedPanels)
  }
}

var sharedRowWeights: SharedWeights {
  SharedWeights(
    byteCount: { rowWeightsByteCount(columns: $0, depth: $1) },
    unsharedByteCount: { PackedHeader.byteCount + panelCount($0) * scaleBytes },
    pack: packSharedWeights)
}

/// Returns the size of the weights with the sums of their columns.
private func rowWeightsByteCount(columns: Int, depth: Int) -> Int {
  let panels = panelCount(columns)
  return panels * sumVectorBytes + PanelLayout(ofRowWeights: panels, depth: depth).byteCount
}

/// Returns the size of heads and weights together.
func packedRowsByteCount(columns: Int, depth: Int) -> Int {
  let panels = panelCount(columns)
  return PackedHeader.byteCount + panels * scaleBytes
    + PanelLayout(ofRowWeights: panels, depth: depth).byteCount
}

private func packSharedWeights(_ arguments: QuantizedPackingArguments) {
  packRowWeights(
    arguments, sums: arguments.packed, sumsStride: sumVectorBytes,
    to: arguments.packed + panelCount(arguments.columns) &* sumVectorBytes)
}

/// Packs weights for few rows, and stores the sums of each panel `sumsStride` bytes apart.
private func packRowWeights(
  _ arguments: QuantizedPackingArguments, sums: UnsafeMutableRawPointer, sumsStride: Int,
  to weights: UnsafeMutableRawPointer
) {
  let format = PackedFormat(ofRow: arguments)
  let layout = PanelLayout(
    ofRowWeights: panelCount(arguments.columns), depth: arguments.depth)
  let byteCount = layout.steps &* sumVectorBytes
  withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { buffer in
    let panelWeights = buffer.baseAddress.unsafelyUnwrapped
    for panel in 0..<layout.panels {
      let panelSums = packWeights(
        arguments, columnsOfPanel(panel, of: arguments.columns), format, runs: 1, split: 1,
        to: panelWeights)
      store(panelSums, to: sums + panel &* sumsStride)
      copyRowWeights(
        panelWeights, count: layout.steps, to: weights + layout.start(ofPanel: panel),
        stride: layout.stride(ofPanel: panel))
    }
  }
}

/// Packs the heads of panels, and the weights after them unless they are shared.
func packForGEMV(_ arguments: QuantizedPackingArguments) {
  let panels = panelCount(arguments.columns)
  let heads = arguments.packed + PackedHeader.byteCount
  var header = PackedHeader(
    scaleKind: scaleKind(arguments),
    rowCorrection: 0 &- PackedFormat(ofRow: arguments).weightZeroPoint)
  header.rowPanels = Int32(truncatingIfNeeded: panels)
  var sums = UnsafeRawPointer(heads)
  var sumsStride = scaleBytes
  if let shared = arguments.sharedWeights {
    (sums, sumsStride) = (shared, sumVectorBytes)
    header.rowWeights = shared + panels &* sumVectorBytes
  } else {
    let weights = heads + panels &* scaleBytes
    packRowWeights(arguments, sums: heads, sumsStride: scaleBytes, to: weights)
    header.rowWeights = UnsafeRawPointer(weights)
  }
  header.write(to: arguments.packed)
  for panel in 0..<panels {
    packHead(
      arguments, columnsOfPanel(panel, of: arguments.columns),
      sums: loadSums(sums + panel &* sumsStride), split: 1, to: heads + panel &* scaleBytes)
  }
}
