import OcellusKernelABI

// GEMV: one or two rows times all panels, the usual case of FULLY_CONNECTED. Every weight is loaded
// once, usually from beyond the L1 cache, so prefetching it early matters most, and little else may
// take time. The bytes of four panels fill a vector.

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
  /// Scratch for the sums, four vectors a row; the first may be overwritten by results.
  var scratch: UnsafeMutableRawPointer
}

/// Multiplies up to `maximumGEMVRows` rows by a panel group; the results are bytes of any scale.
@inline(__always)
func multiplyRows(_ panelGroup: GEMVPanelGroup, _ range: QuantizedRange, scaleKind: Int32) {
  switch scaleKind {
  case ScaleKind.bounded where range.minimum >= range.zeroPoint:
    panelGroup.multiply(range, RectifiedScale.self)
  case ScaleKind.bounded: panelGroup.multiply(range, BoundedScale.self)
  case ScaleKind.real: panelGroup.multiply(range, RealScale.self)
  case ScaleKind.single: panelGroup.multiply(range, SingleScale.self)
  default: panelGroup.multiply(range, FixedPointScale.self)
  }
}

/// Multiplies up to `maximumGEMVRows` rows by a panel group; the results are floats.
@inline(__always)
func multiplyRows(_ panelGroup: GEMVPanelGroup, _ scaling: HybridScaling) {
  if panelGroup.isWhole { return panelGroup.multiplyRow(scaling) }
  panelGroup.storeSums()
  panelGroup.storeFloats(scaling)
}

/// The sums of one row and four panels.
private struct FourPanelSums {
  var v0, v1, v2, v3: SumVector

  @inline(__always)
  init<Arithmetic: TileArithmetic>(_ row: AccumulatorRow<Arithmetic>)
  where Arithmetic.Vector == SumVector {
    (v0, v1, v2, v3) = (row.v0, row.v1, row.v2, row.v3)
  }
}

extension GEMVPanelGroup {
  /// The number of panels.
  @inline(__always)
  private var vectors: Int { (columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount }

  /// Whether this is one row times four panels without idle lanes, like nearly all groups of large
  /// layers: its sums stay in registers.
  @inline(__always)
  fileprivate var isWhole: Bool {
    rows.count == 1 && columns == rowVectors &* SumVector.scalarCount
  }

  @inline(__always)
  fileprivate func multiply<Scale: VectorScale>(_ range: QuantizedRange, _ scale: Scale.Type) {
    if isWhole { return multiplyRow(range, scale) }
    storeSums()
    storeBytes(range, scale)
  }

  @inline(never)
  private func multiplyRow<Scale: VectorScale>(_ range: QuantizedRange, _: Scale.Type) {
    let sums = sumsOfRow()
    let scales = panel + sumVectorBytes
    @inline(__always)
    func scaled(_ sums: SumVector, _ vector: Int) -> SumVector {
      ScaledWriter<Scale>(scales + vector &* panelStride, range).scaled(sums)
    }
    let bytes = ByteRange(range).narrow(
      scaled(sums.v0, 0), scaled(sums.v1, 1), scaled(sums.v2, 2), scaled(sums.v3, 3))
    store(bytes, to: output)
  }

  @inline(never)
  fileprivate func multiplyRow(_ scaling: HybridScaling) {
    let sums = sumsOfRow()
    let rounding = scaling.rows.pointee
    @inline(__always)
    func storeFloats(_ sums: SumVector, _ vector: Int) {
      let scales = panel + (sumVectorBytes &+ vector &* panelStride)
      store(HybridColumns(scales, scaling)(sums, rounding), to: output + vector &* sumVectorBytes)
    }
    storeFloats(sums.v0, 0)
    storeFloats(sums.v1, 1)
    storeFloats(sums.v2, 2)
    storeFloats(sums.v3, 3)
  }

  /// Computes the corrected sums of one row and four panels.
  @inline(__always)
  private func sumsOfRow() -> FourPanelSums {
    weights.areForGEMV
      ? FourPanelSums(
        tile(One.self, Four.self, ByteWeights.self, isStream: interleavedPanels > 1).r0)
      : FourPanelSums(
        tile(One.self, Four.self, QuantizedArithmetic<SingleGroup>.self, isStream: false).r0)
  }

  /// Computes the corrected sums of the rows, of which other groups than whole ones keep none in
  /// registers: the loops over the depth are then compiled once for all kinds of results.
  @inline(__always)
  fileprivate func storeSums() {
    if maximumGEMVRows > 1 && rows.count > 1 { storeSums(Two.self) } else { storeSums(One.self) }
  }

  @inline(__always)
  private func storeSums<Rows: Literal>(_ rows: Rows.Type) {
    switch vectors {
    case 1: storeSums(rows, One.self)
    case 2: storeSums(rows, Two.self)
    case 3: storeSums(rows, Three.self)
    case 4: storeSums(rows, Four.self)
    default: break
    }
  }

  @inline(never)
  private func storeSums<Rows: Literal, Vectors: Literal>(
    _ rows: Rows.Type, _ vectors: Vectors.Type
  ) {
    // Several rows always have weights packed for GEMV.
    if weights.areForGEMV || Rows.value > 1 {
      storeSums(tile(rows, vectors, ByteWeights.self, isStream: interleavedPanels > 1))
    } else {
      storeSums(tile(rows, vectors, QuantizedArithmetic<SingleGroup>.self, isStream: false))
    }
  }

  @inline(__always)
  private func storeSums<Rows: Literal, Vectors: Literal, Arithmetic: TileArithmetic>(
    _ tile: AccumulatorTile<Arithmetic, Rows, Vectors>
  ) where Arithmetic.Vector == SumVector {
    tile.r0.store(to: scratch, vectors: Vectors.value)
    if Rows.value > 1 { tile.r1.store(to: scratch + rowBytes, vectors: Vectors.value) }
  }

  /// Computes the corrected sums; `isStream`, a literal at every call, says whether the weights of
  /// the panels are interleaved.
  @inline(__always)
  private func tile<Rows: Literal, Vectors: Literal, Arithmetic: TileArithmetic>(
    _: Rows.Type, _: Vectors.Type, _: Arithmetic.Type, isStream: Bool
  ) -> AccumulatorTile<Arithmetic, Rows, Vectors> where Arithmetic.Vector == SumVector {
    var tile = AccumulatorTile<Arithmetic, Rows, Vectors>(panel: panel, panelStride: panelStride)
    if isStream && weights.byteCount <= maximumPrefetchedBytes {
      tile.addProducts(
        rows, row: 0, weights: weights.start, panelStride: Arithmetic.weightStep,
        streamStep: weights.stride, asksAhead: true)
    } else if isStream {
      tile.addProducts(
        rows, row: 0, weights: weights.start, panelStride: Arithmetic.weightStep,
        streamStep: weights.stride)
    } else {
      tile.addProducts(rows, row: 0, weights: weights.start, panelStride: weights.stride)
    }
    if let corrections { tile.add(corrections) }
    return tile
  }

  /// The distance in bytes between the sums of two rows.
  private var rowBytes: Int {
    @inline(__always)
    get { rowVectors &* sumVectorBytes }
  }

  /// Stores the results of all rows as bytes.
  @inline(never)
  fileprivate func storeBytes<Scale: VectorScale>(_ range: QuantizedRange, _: Scale.Type) {
    let scales = panel + sumVectorBytes, last = vectors &- 1
    for row in 0..<rows.count {
      let sums = UnsafeRawPointer(scratch) + row &* rowBytes
      // The panels that a group does not have are replaced by its last one.
      @inline(__always)
      func scaled(_ index: Int) -> SumVector {
        let vector = smaller(index, last)
        return ScaledWriter<Scale>(scales + vector &* panelStride, range)
          .scaled(loadSums(sums + vector &* sumVectorBytes))
      }
      let bytes = ByteRange(range).narrow(scaled(0), scaled(1), scaled(2), scaled(3))
      let target = output + row &* outputStride
      if columns == sumVectorBytes {
        store(bytes, to: target)
      } else {
        store(bytes, to: scratch)
        copyBytes(scratch, to: target, count: columns)
      }
    }
  }

  /// Stores the results of all rows as floats.
  @inline(never)
  fileprivate func storeFloats(_ scaling: HybridScaling) {
    for row in 0..<rows.count {
      let rounding = scaling.advanced(by: row).rows.pointee
      for vector in 0..<vectors {
        let scales = panel + (sumVectorBytes &+ vector &* panelStride)
        let sums = loadSums(scratch + (row &* rowBytes &+ vector &* sumVectorBytes))
        let result = HybridColumns(scales, scaling)(sums, rounding)
        let target = output + (row &* outputStride &+ vector &* sumVectorBytes)
        let left = columns &- vector &* SumVector.scalarCount
        if left >= SumVector.scalarCount {
          store(result, to: target)
        } else {
          storeLanes(result, count: left, to: target)
        }
      }
    }
  }
}
