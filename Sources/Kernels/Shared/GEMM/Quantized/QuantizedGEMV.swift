import OcellusKernelABI

// GEMV: one or two rows times all panels, the usual case of FULLY_CONNECTED. Every weight is loaded
// once, usually from beyond the L1 cache, so prefetching it early matters most, and little else may
// take time. Sums become results in registers, and the bytes of four panels fill a vector.

/// The maximum number of rows of a GEMV: two where that lets weights be packed as bytes instead of
/// 16 bits.
let maximumGEMVRows = rowWeightsAreWidened ? 2 : 1

/// Up to `maximumGEMVRows` rows times a group of up to `rowVectors` panels.
struct GEMVPanelGroup {
  var rows: IndirectRows
  /// The head of the first panel, and the distance between panels.
  var panel: UnsafeRawPointer
  var panelStride: Int
  var weights: GEMVPanelGroupWeights
  /// A 32-bit zero-point correction for every row, or `nil` if sums need none.
  var corrections: UnsafeRawPointer?
  /// The first byte of the results, their columns, and the bytes between rows.
  var output: UnsafeMutableRawPointer
  var columns: Int
  var outputStride: Int
  /// Scratch for one vector.
  var scratch: UnsafeMutableRawPointer
}

/// Multiplies up to `maximumGEMVRows` rows by a panel group; the results are bytes of any scale.
@inline(__always)
func multiplyRows(_ panelGroup: GEMVPanelGroup, _ range: QuantizedRange, scaleKind: Int32) {
  switch scaleKind {
  case ScaleKind.bounded where range.minimum >= range.zeroPoint:
    multiplyRows(panelGroup, range, RowsOfBytes<RectifiedScale>.self)
  case ScaleKind.bounded: multiplyRows(panelGroup, range, RowsOfBytes<BoundedScale>.self)
  case ScaleKind.real: multiplyRows(panelGroup, range, RowsOfBytes<RealScale>.self)
  case ScaleKind.single: multiplyRows(panelGroup, range, RowsOfBytes<SingleScale>.self)
  default: multiplyRows(panelGroup, range, RowsOfBytes<FixedPointScale>.self)
  }
}

/// Multiplies up to `maximumGEMVRows` rows by a panel group; the results are floats.
@inline(__always)
func multiplyRows(_ panelGroup: GEMVPanelGroup, _ scaling: HybridScaling) {
  multiplyRows(panelGroup, scaling, RowsOfFloats.self)
}

@inline(__always)
private func multiplyRows<Epilogue: GEMVEpilogue>(
  _ panelGroup: GEMVPanelGroup, _ settings: Epilogue.Settings, _ epilogue: Epilogue.Type
) {
  if maximumGEMVRows > 1 && panelGroup.rows.count > 1 {
    multiplyRows(panelGroup, settings, epilogue, Two.self)
  } else {
    multiplyRows(panelGroup, settings, epilogue, One.self)
  }
}

@inline(__always)
private func multiplyRows<Epilogue: GEMVEpilogue, Rows: Literal>(
  _ panelGroup: GEMVPanelGroup, _ settings: Epilogue.Settings, _ epilogue: Epilogue.Type,
  _ rows: Rows.Type
) {
  switch (panelGroup.columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount {
  case 1: multiplyRows(panelGroup, settings, epilogue, rows, One.self)
  case 2: multiplyRows(panelGroup, settings, epilogue, rows, Two.self)
  case 3: multiplyRows(panelGroup, settings, epilogue, rows, Three.self)
  case 4: multiplyRows(panelGroup, settings, epilogue, rows, Four.self)
  default: break
  }
}

@inline(never)
private func multiplyRows<Epilogue: GEMVEpilogue, Rows: Literal, Vectors: Literal>(
  _ panelGroup: GEMVPanelGroup, _ settings: Epilogue.Settings, _: Epilogue.Type, _: Rows.Type,
  _: Vectors.Type
) {
  let sums = panelGroup.sums(Rows.self, Vectors.self)
  Epilogue.applyEpilogue(sums.first, of: panelGroup, row: 0, settings, Vectors.self)
  if Rows.value > 1 {
    Epilogue.applyEpilogue(sums.second, of: panelGroup, row: 1, settings, Vectors.self)
  }
}

/// The sums of one row and four panels.
private struct PanelSums {
  var v0, v1, v2, v3: SumVector

  /// Creates the sums of a tile's row, each plus the row's correction.
  @inline(__always)
  init<Arithmetic: TileArithmetic>(_ row: AccumulatorRow<Arithmetic>, adding correction: Int32)
  where Arithmetic.Vector == SumVector {
    let correction = SumVector(repeating: correction)
    v0 = row.v0 &+ correction
    v1 = row.v1 &+ correction
    v2 = row.v2 &+ correction
    v3 = row.v3 &+ correction
  }
}

extension GEMVPanelGroup {
  /// Computes the corrected sums of the rows.
  @inline(__always)
  fileprivate func sums<Rows: Literal, Vectors: Literal>(
    _ rows: Rows.Type, _ vectors: Vectors.Type
  ) -> (first: PanelSums, second: PanelSums) {
    // Several rows always have weights packed for GEMV.
    weights.areForGEMV || Rows.value > 1
      ? sums(rows, vectors, ByteWeights.self, areSideBySide: interleavedPanels > 1)
      : sums(rows, vectors, QuantizedArithmetic<SingleGroup>.self, areSideBySide: false)
  }

  @inline(__always)
  private func sums<Rows: Literal, Vectors: Literal, Arithmetic: TileArithmetic>(
    _: Rows.Type, _: Vectors.Type, _: Arithmetic.Type, areSideBySide: Bool
  ) -> (first: PanelSums, second: PanelSums) where Arithmetic.Vector == SumVector {
    var tile = AccumulatorTile<Arithmetic, Rows, Vectors>(panel: panel, panelStride: panelStride)
    if areSideBySide && weights.byteCount <= maximumPrefetchedBytes {
      tile.addProducts(
        rows, row: 0, weights: weights.start, panelStride: Arithmetic.weightStep,
        streamStep: weights.stride, asksAhead: true)
    } else if areSideBySide {
      tile.addProducts(
        rows, row: 0, weights: weights.start, panelStride: Arithmetic.weightStep,
        streamStep: weights.stride)
    } else {
      tile.addProducts(rows, row: 0, weights: weights.start, panelStride: weights.stride)
    }
    let correction = { (row: Int) in corrections.map { loadInt32($0 + row &* 4) } ?? 0 }
    let first = PanelSums(tile.r0, adding: correction(0))
    return (first, Rows.value > 1 ? PanelSums(tile.r1, adding: correction(1)) : first)
  }
}

/// The epilogue of a row.
private protocol GEMVEpilogue {
  associatedtype Settings

  static func applyEpilogue<Vectors: Literal>(
    _ sums: PanelSums, of panelGroup: GEMVPanelGroup, row: Int, _ settings: Settings,
    _: Vectors.Type)
}

private enum RowsOfBytes<Scale: VectorScale>: GEMVEpilogue {
  @inline(__always)
  static func applyEpilogue<Vectors: Literal>(
    _ sums: PanelSums, of panelGroup: GEMVPanelGroup, row: Int, _ range: QuantizedRange,
    _: Vectors.Type
  ) {
    let scaled = { (sums: SumVector, vector: Int) in
      let scales = panelGroup.panel + (sumVectorBytes &+ vector &* panelGroup.panelStride)
      return ScaledWriter<Scale>(scales, range).scaled(sums)
    }
    let first = scaled(sums.v0, 0)
    let second = Vectors.value > 1 ? scaled(sums.v1, 1) : first
    let third = Vectors.value > 2 ? scaled(sums.v2, 2) : first
    let fourth = Vectors.value > 3 ? scaled(sums.v3, 3) : first
    let bytes = ByteRange(range).narrow(first, second, third, fourth)
    let output = panelGroup.output + row &* panelGroup.outputStride
    if panelGroup.columns == sumVectorBytes {
      store(bytes, to: output)
    } else {
      store(bytes, to: panelGroup.scratch)
      copyBytes(panelGroup.scratch, to: output, count: panelGroup.columns)
    }
  }
}

private enum RowsOfFloats: GEMVEpilogue {
  @inline(__always)
  static func applyEpilogue<Vectors: Literal>(
    _ sums: PanelSums, of panelGroup: GEMVPanelGroup, row: Int, _ scaling: HybridScaling,
    _: Vectors.Type
  ) {
    let storeVector = { (sums: SumVector, vector: Int) in
      let panel = panelGroup.panel + (sumVectorBytes &+ vector &* panelGroup.panelStride)
      let result = HybridColumns(panel, scaling)(sums, scaling.advanced(by: row).rows.pointee)
      let target = panelGroup.output + (row &* panelGroup.outputStride &+ vector &* sumVectorBytes)
      let left = panelGroup.columns &- vector &* SumVector.scalarCount
      if left >= SumVector.scalarCount {
        target.storeBytes(of: result, as: FloatVector.self)
      } else {
        storeLanes(result, count: left, to: target)
      }
    }
    storeVector(sums.v0, 0)
    if Vectors.value > 1 { storeVector(sums.v1, 1) }
    if Vectors.value > 2 { storeVector(sums.v2, 2) }
    if Vectors.value > 3 { storeVector(sums.v3, 3) }
  }
}
