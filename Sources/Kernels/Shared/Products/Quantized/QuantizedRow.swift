import OcellusKernelABI

// One row times all panels, which FULLY_CONNECTED is mostly asked for. Every weight is read once,
// from wherever it is, so what counts is that nothing else takes time: sums become results in the
// registers, those of four panels together: their bytes fill a vector.

/// The panels that are multiplied at once with the only row, whatever the registers hold of more rows.
let rowVectors = 4

/// One row times up to `rowVectors` panels.
struct RowStrip {
  /// The only row.
  var row: StripRows
  /// The head of the first panel, and the distance to the next.
  var panel: UnsafeRawPointer
  var panelStride: Int
  /// The weights of the first panel, and the distance to those of the next.
  var weights: UnsafeRawPointer
  var weightsStride: Int
  /// Whether these are bytes where `dot` takes more; see `ByteWeights`.
  var hasByteWeights: Bool
  /// What is added to every sum.
  var correction: Int32
  /// The first byte of the results, and their columns.
  var output: UnsafeMutableRawPointer
  var columns: Int
  /// Room for a vector.
  var scratch: UnsafeMutableRawPointer
}

/// Multiplies the only row with the panels of a strip; results are bytes of any scale.
@inline(__always)
func multiplyRow(_ strip: RowStrip, _ range: QuantizedRange, scaleKind: Int32) {
  switch scaleKind {
  case ScaleKind.bounded where range.minimum >= range.zeroPoint:
    multiplyRow(strip, range, RectifiedScale.self)
  case ScaleKind.bounded: multiplyRow(strip, range, BoundedScale.self)
  case ScaleKind.real: multiplyRow(strip, range, RealScale.self)
  default: multiplyRow(strip, range, FixedPointScale.self)
  }
}

@inline(__always)
private func multiplyRow<Scale: VectorScale>(
  _ strip: RowStrip, _ range: QuantizedRange, _ scale: Scale.Type
) {
  switch (strip.columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount {
  case 1: multiplyRow(strip, range, scale, One.self)
  case 2: multiplyRow(strip, range, scale, Two.self)
  case 3: multiplyRow(strip, range, scale, Three.self)
  case 4: multiplyRow(strip, range, scale, Four.self)
  default: break
  }
}

@inline(never)
private func multiplyRow<Scale: VectorScale, Vectors: Literal>(
  _ strip: RowStrip, _ range: QuantizedRange, _: Scale.Type, _: Vectors.Type
) {
  let sums = strip.onlyRow(Vectors.self)
  var scales = strip.panel + sumVectorBytes
  let first = ScaledWriter<Scale>(scales, range).scaled(sums.v0)
  var (second, third, fourth) = (first, first, first)
  if Vectors.value > 1 {
    scales += strip.panelStride
    second = ScaledWriter<Scale>(scales, range).scaled(sums.v1)
  }
  if Vectors.value > 2 {
    scales += strip.panelStride
    third = ScaledWriter<Scale>(scales, range).scaled(sums.v2)
  }
  if Vectors.value > 3 {
    scales += strip.panelStride
    fourth = ScaledWriter<Scale>(scales, range).scaled(sums.v3)
  }
  let bytes = ByteRange(range).narrow(first, second, third, fourth)
  if strip.columns == sumVectorBytes {
    store(bytes, to: strip.output)
  } else {
    store(bytes, to: strip.scratch)
    copyBytes(strip.scratch, to: strip.output, count: strip.columns)
  }
}

/// The same for results that are floats.
@inline(__always)
func multiplyRow(_ strip: RowStrip, _ scaling: HybridScaling) {
  switch (strip.columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount {
  case 1: multiplyRow(strip, scaling, One.self)
  case 2: multiplyRow(strip, scaling, Two.self)
  case 3: multiplyRow(strip, scaling, Three.self)
  case 4: multiplyRow(strip, scaling, Four.self)
  default: break
  }
}

@inline(never)
private func multiplyRow<Vectors: Literal>(
  _ strip: RowStrip, _ scaling: HybridScaling, _: Vectors.Type
) {
  let sums = strip.onlyRow(Vectors.self)
  strip.store(sums.v0, scaling, vector: 0)
  if Vectors.value > 1 { strip.store(sums.v1, scaling, vector: 1) }
  if Vectors.value > 2 { strip.store(sums.v2, scaling, vector: 2) }
  if Vectors.value > 3 { strip.store(sums.v3, scaling, vector: 3) }
}

/// The sums of four panels.
private struct PanelSums {
  var v0, v1, v2, v3: SumVector
}

extension RowStrip {
  /// The corrected sums of the only row.
  @inline(__always)
  fileprivate func onlyRow<Vectors: Literal>(
    _: Vectors.Type
  ) -> PanelSums {
    hasByteWeights
      ? onlyRow(Vectors.self, ByteWeights.self)
      : onlyRow(Vectors.self, QuantizedArithmetic<SingleGroup>.self)
  }

  @inline(__always)
  private func onlyRow<Vectors: Literal, Arithmetic: TileArithmetic>(
    _: Vectors.Type, _: Arithmetic.Type
  ) -> PanelSums where Arithmetic.Vector == SumVector {
    var tile = RowTile<Arithmetic, One, Vectors>(panel: panel, panelStride: panelStride)
    tile.addProducts(row, row: 0, weights: weights, panelStride: weightsStride)
    let correction = SumVector(repeating: correction)
    var sums = PanelSums(v0: tile.r0.v0, v1: tile.r0.v1, v2: tile.r0.v2, v3: tile.r0.v3)
    sums.v0 &+= correction
    sums.v1 &+= correction
    sums.v2 &+= correction
    sums.v3 &+= correction
    return sums
  }

  /// Stores one vector of sums as floats.
  @inline(__always)
  fileprivate func store(_ sums: SumVector, _ scaling: HybridScaling, vector: Int) {
    let columns = HybridColumns(panel + (sumVectorBytes &+ vector &* panelStride), scaling)
    let result = columns(sums, scaling.rows.pointee)
    let target = output + vector &* sumVectorBytes
    let left = self.columns &- vector &* SumVector.scalarCount
    if left >= SumVector.scalarCount {
      target.storeBytes(of: result, as: FloatVector.self)
    } else {
      storeLanes(result, count: left, to: target)
    }
  }
}
