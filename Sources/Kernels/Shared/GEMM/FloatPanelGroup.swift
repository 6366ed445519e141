import OcellusKernelABI

/// A row slice times a group of up to `tileVectors` panels, whose sums stay in registers until they
/// are results.
struct FloatPanelGroup {
  var rows: IndirectRows
  /// The head of the first panel (its bias), and the distance between panels.
  var panel: UnsafeRawPointer
  var panelStride: Int
  /// The first byte of the results, their columns, and the bytes between rows.
  var output: UnsafeMutableRawPointer
  var columns: Int
  var outputStride: Int
  var low: FloatVector
  var high: FloatVector
}

private let vectorBytes = MemoryLayout<FloatVector>.size

// Not taken: 24 columns of short rows as 16 and 8 (no faster; 40 of 58 GMAC/s on Zen 4).
/// Computes a panel group.
@inline(__always)
func multiply<Rounding: MultiplyAdd>(_ panelGroup: FloatPanelGroup, _ rounding: Rounding.Type) {
  let allRows = Range(uncheckedBounds: (0, panelGroup.rows.count))
  switch (panelGroup.columns &+ FloatVector.scalarCount &- 1) / FloatVector.scalarCount {
  case 1 where panelGroup.usesTransposedOperands:
    multiplyTransposed(panelGroup, rounding) {
      multiply(panelGroup, $0, rounding, Rounding.SinglePanelTileRows.self, One.self)
    }
  case 1: multiply(panelGroup, allRows, rounding, Rounding.SinglePanelTileRows.self, One.self)
  case 2: multiply(panelGroup, allRows, rounding, Rounding.TileRows.self, Two.self)
  case 3 where floatTileVectors > 2:
    multiply(panelGroup, allRows, rounding, Rounding.TileRows.self, Three.self)
  case 4 where floatTileVectors > 3 && panelGroup.rows.bytes <= maximumShallowRowBytes:
    multiply(panelGroup, allRows, rounding, ShallowTileRows.self, Four.self)
  case 4 where floatTileVectors > 3:
    multiply(panelGroup, allRows, rounding, Rounding.TileRows.self, Four.self)
  default: break
  }
}

/// Computes rows in whole tiles, and the remaining rows in smaller tiles.
@inline(__always)
private func multiply<Rounding: MultiplyAdd, TileRows: Literal, Vectors: Literal>(
  _ panelGroup: FloatPanelGroup, _ rows: Range<Int>, _ rounding: Rounding.Type, _: TileRows.Type,
  _ vectors: Vectors.Type
) {
  let tileRows = TileRows.value
  var rest = rows.count % tileRows
  // One or two rows would be bound by the latency of their own sums, so they share the rows of the
  // last tile.
  let isShared = rest > 0 && rest <= 2 && rows.count > tileRows
  if isShared { rest &+= tileRows }
  let whole = Range(uncheckedBounds: (rows.lowerBound, rows.upperBound &- rest))
  if whole.count > 0 { multiplyTiles(panelGroup, whole, rounding, TileRows.self, vectors) }
  let middle = isShared ? rows.upperBound &- rest / 2 : whole.upperBound
  if isShared {
    let upper = Range(uncheckedBounds: (whole.upperBound, middle))
    multiplyLower(panelGroup, upper, rounding, TileRows.self, vectors)
  }
  let last = Range(uncheckedBounds: (middle, rows.upperBound))
  multiplyLower(panelGroup, last, rounding, TileRows.self, vectors)
}

/// Computes fewer rows than a tile has.
@inline(__always)
private func multiplyLower<Rounding: MultiplyAdd, TileRows: Literal, Vectors: Literal>(
  _ panelGroup: FloatPanelGroup, _ rows: Range<Int>, _ rounding: Rounding.Type, _: TileRows.Type,
  _ vectors: Vectors.Type
) {
  let tileRows = TileRows.value
  switch rows.count {
  case 1: multiplyTiles(panelGroup, rows, rounding, One.self, vectors)
  case 2: multiplyTiles(panelGroup, rows, rounding, Two.self, vectors)
  case 3: multiplyTiles(panelGroup, rows, rounding, Three.self, vectors)
  case 4 where tileRows > 4: multiplyTiles(panelGroup, rows, rounding, Four.self, vectors)
  case 5 where tileRows > 5: multiplyTiles(panelGroup, rows, rounding, Five.self, vectors)
  case 6 where tileRows > 6: multiplyTiles(panelGroup, rows, rounding, Six.self, vectors)
  case 7 where tileRows > 6: multiplyTiles(panelGroup, rows, rounding, Seven.self, vectors)
  default: break
  }
}

/// Computes tiles of one size, out of line so that accumulators share the registers with nothing
/// else.
@inline(never)
private func multiplyTiles<Rounding: MultiplyAdd, Rows: Literal, Vectors: Literal>(
  _ panelGroup: FloatPanelGroup, _ rows: Range<Int>, _: Rounding.Type, _: Rows.Type, _: Vectors.Type
) {
  var row = rows.lowerBound
  var output = panelGroup.output + row &* panelGroup.outputStride
  while row < rows.upperBound {
    var tile = AccumulatorTile<FloatArithmetic<Rounding>, Rows, Vectors>(
      panel: panelGroup.panel, panelStride: panelGroup.panelStride)
    tile.addProducts(
      panelGroup.rows, row: row, weights: panelGroup.panel + vectorBytes,
      panelStride: panelGroup.panelStride)
    panelGroup.applyEpilogue(tile, to: output)
    row &+= Rows.value
    output += Rows.value &* panelGroup.outputStride
  }
}

extension FloatPanelGroup {
  /// Turns the sums of a tile into results.
  @inline(__always)
  func applyEpilogue<Arithmetic: TileArithmetic, Rows: Literal, Vectors: Literal>(
    _ tile: AccumulatorTile<Arithmetic, Rows, Vectors>, to output: UnsafeMutableRawPointer
  ) where Arithmetic.Vector == FloatVector {
    writeTile(
      rows: Rows.value, columns: columns, vectors: Vectors.value, to: output, stride: outputStride
    ) { applyEpilogue(tile, to: $0, stride: $1, lastLanes: $2) }
  }

  @inline(__always)
  private func applyEpilogue<Arithmetic: TileArithmetic, Rows: Literal, Vectors: Literal>(
    _ tile: AccumulatorTile<Arithmetic, Rows, Vectors>, to output: UnsafeMutableRawPointer,
    stride: Int,
    lastLanes: Int
  ) where Arithmetic.Vector == FloatVector {
    let biases = AccumulatorRow<Arithmetic>(panel, stride: panelStride, vectors: Vectors.value) {
      loadFloats($0)
    }
    @inline(__always)
    func finishRow(_ row: AccumulatorRow<Arithmetic>, _ output: UnsafeMutableRawPointer) {
      applyEpilogue(row, biases, to: output, vectors: Vectors.value, lastLanes: lastLanes)
    }
    finishRow(tile.r0, output)
    if Rows.value > 1 { finishRow(tile.r1, output + stride) }
    if Rows.value > 2 { finishRow(tile.r2, output + 2 &* stride) }
    if Rows.value > 3 { finishRow(tile.r3, output + 3 &* stride) }
    if Rows.value > 4 { finishRow(tile.r4, output + 4 &* stride) }
    if Rows.value > 5 { finishRow(tile.r5, output + 5 &* stride) }
    if Rows.value > 6 { finishRow(tile.r6, output + 6 &* stride) }
    if Rows.value > 7 { finishRow(tile.r7, output + 7 &* stride) }
  }

  /// Adds the biases to the sums of a row unless they began with them, and stores the clamped
  /// results.
  @inline(__always)
  private func applyEpilogue<Arithmetic: TileArithmetic>(
    _ row: AccumulatorRow<Arithmetic>, _ biases: AccumulatorRow<Arithmetic>,
    to output: UnsafeMutableRawPointer, vectors: Int, lastLanes: Int
  ) where Arithmetic.Vector == FloatVector {
    @inline(__always)
    func applyEpilogue(_ sums: FloatVector, _ biases: FloatVector, _ index: Int) {
      let sums = Arithmetic.startsWithBias ? sums : sums + biases
      storeInTile(
        clamp(sums, low, high), index, of: vectors, lastLanes: lastLanes, to: output)
    }
    applyEpilogue(row.v0, biases.v0, 0)
    if vectors > 1 { applyEpilogue(row.v1, biases.v1, 1) }
    if vectors > 2 { applyEpilogue(row.v2, biases.v2, 2) }
    if vectors > 3 { applyEpilogue(row.v3, biases.v3, 3) }
  }
}
