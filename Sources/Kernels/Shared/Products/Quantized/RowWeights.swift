import OcellusKernelABI

// Weights that meet only few rows lie panel behind panel, apart from the heads of the panels: nodes that multiply
// with the same ones at other scales share them. Such a block is the sums of the columns, a vector for every panel,
// and the weights.

/// The bytes from the weights of a panel to the next.
@inline(__always)
func rowWeightsStride(_ depth: Int) -> Int {
  quantizedSteps(depth) &* (rowWeightsAreWidened ? sumVectorBytes / 2 : sumVectorBytes)
}

var sharedRowWeights: SharedWeights {
  SharedWeights(
    byteCount: sharedWeightsByteCount,
    byteCountBeside: { PackedHeader.byteCount + panelCount($0) * scaleBytes },
    pack: packSharedWeights)
}

private func sharedWeightsByteCount(columns: Int, depth: Int) -> Int {
  // Of fewer columns lanes may share one (see `depthSplit`).
  guard columns * 2 > SumVector.scalarCount else { return 0 }
  let panels = panelCount(columns)
  // The last panel is as large as 16 bits a weight take before it is narrowed.
  return panels * sumVectorBytes
    + (rowWeightsAreWidened ? panels + 1 : panels) * rowWeightsStride(depth)
}

private func packSharedWeights(_ arguments: QuantizedPackingArguments) {
  packRowWeights(
    arguments, sums: arguments.packed, sumsStride: sumVectorBytes,
    to: arguments.packed + panelCount(arguments.columns) &* sumVectorBytes)
}

/// Packs weights for few rows, and their sums to places so far apart.
private func packRowWeights(
  _ arguments: QuantizedPackingArguments, sums: UnsafeMutableRawPointer, sumsStride: Int,
  to weights: UnsafeMutableRawPointer
) {
  let format = PackedFormat(ofRow: arguments)
  let stride = rowWeightsStride(arguments.depth)
  for panel in 0..<panelCount(arguments.columns) {
    let panelWeights = weights + panel &* stride
    let panelSums = packWeights(
      arguments, columnsOfPanel(panel, of: arguments.columns), format, split: 1, to: panelWeights)
    if rowWeightsAreWidened {
      narrowWeights(panelWeights, vectors: quantizedSteps(arguments.depth))
    }
    store(panelSums, to: sums + panel &* sumsStride)
  }
}

/// Packs the heads of panels, and the weights behind them if they are not shared.
func packForFewRows(_ arguments: QuantizedPackingArguments, _ header: PackedHeader) {
  var header = header
  let panels = panelCount(arguments.columns)
  let heads = arguments.packed + PackedHeader.byteCount
  header.rowCorrection = 0 &- PackedFormat(ofRow: arguments).weightZeroPoint
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
