import OcellusKernelABI

// One row times all panels, which FULLY_CONNECTED is mostly asked for. Every weight is read once,
// from wherever it is, so what counts is that nothing else takes time: sums become bytes in the
// registers, those of all panels of a tile together.

/// Multiplies the only row with the panels of a strip; results are bytes of any scale.
@inline(__always)
func multiplyRow(_ strip: QuantizedStrip, _ range: QuantizedRange, scaleKind: Int32) {
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
  _ strip: QuantizedStrip, _ range: QuantizedRange, _ scale: Scale.Type
) {
  switch (strip.columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount {
  case 1: multiplyRow(strip, range, scale, One.self)
  case 2: multiplyRow(strip, range, scale, Two.self)
  case 3 where tileVectors > 2: multiplyRow(strip, range, scale, Three.self)
  case 4 where tileVectors > 3: multiplyRow(strip, range, scale, Four.self)
  default: break
  }
}

@inline(never)
private func multiplyRow<Scale: VectorScale, Vectors: Literal>(
  _ strip: QuantizedStrip, _ range: QuantizedRange, _: Scale.Type, _: Vectors.Type
) {
  var tile = RowTile<QuantizedArithmetic<SingleGroup>, One, Vectors>(
    panel: strip.panel, panelStride: strip.panelStride)
  tile.addProducts(
    strip.rows, row: 0, weights: strip.panel + scaleBytes, panelStride: strip.panelStride)
  let correction = SumVector(repeating: strip.corrections.map { loadInt32($0) } ?? 0)
  var scales = strip.panel + sumVectorBytes
  let first = ScaledWriter<Scale>(scales, range).scaled(tile.r0.v0 &+ correction)
  var (second, third, fourth) = (first, first, first)
  if Vectors.value > 1 {
    scales += strip.panelStride
    second = ScaledWriter<Scale>(scales, range).scaled(tile.r0.v1 &+ correction)
  }
  if Vectors.value > 2 {
    scales += strip.panelStride
    third = ScaledWriter<Scale>(scales, range).scaled(tile.r0.v2 &+ correction)
  }
  if Vectors.value > 3 {
    scales += strip.panelStride
    fourth = ScaledWriter<Scale>(scales, range).scaled(tile.r0.v3 &+ correction)
  }
  let bytes = ByteRange(range).narrow(first, second, third, fourth)
  if strip.columns == sumVectorBytes {
    store(bytes, to: strip.output)
  } else {
    store(bytes, to: strip.scratch)
    copyBytes(strip.scratch, to: strip.output, count: strip.columns)
  }
}
