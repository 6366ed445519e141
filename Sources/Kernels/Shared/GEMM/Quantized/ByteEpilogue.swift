import OcellusKernelABI

// Row slices of bytes times a panel group, whose sums stay in registers until they are bytes again.

/// Computes a group of up to `tileVectors` panels.
@inline(__always)
func multiplyPanelGroup<Scale: VectorScale>(
  _ panelGroup: QuantizedPanelGroup, _ range: QuantizedRange, _ scale: Scale.Type,
  upToVectors vectors: Int
) {
  switch vectors {
  case 1 where panelGroup.usesDoubleHeightTiles:
    multiplyPanel(panelGroup, range, ByteEpilogue<Scale>.self)
  case 1: multiplyPanelGroup(panelGroup, range, ByteEpilogue<Scale>.self, One.self)
  #if TRANSPOSED_OPERANDS
    case 2 where panelGroup.rows.isSignToggled:
      multiplySignToggled(panelGroup, range, ByteEpilogue<Scale>.self)
  #endif
  case 2: multiplyPanelGroup(panelGroup, range, ByteEpilogue<Scale>.self, Two.self)
  case 3 where tileVectors > 2:
    multiplyPanelGroup(panelGroup, range, ByteEpilogue<Scale>.self, Three.self)
  case 4 where tileVectors > 3:
    multiplyPanelGroup(panelGroup, range, ByteEpilogue<Scale>.self, Four.self)
  default: break
  }
}

/// The epilogue that turns the sums of up to four vectors of columns into bytes.
private struct ByteEpilogue<Scale: VectorScale>: PanelGroupEpilogue {
  private let panelGroup: QuantizedPanelGroup
  private let writer0, writer1, writer2, writer3: ScaledWriter<Scale>
  private let bytes: ByteRange

  @inline(__always)
  init(_ panelGroup: QuantizedPanelGroup, _ range: QuantizedRange, vectors: Int) {
    self.panelGroup = panelGroup
    let scales = panelGroup.panel + sumVectorBytes
    let stride = panelGroup.panelStride
    writer0 = ScaledWriter(scales, range)
    writer1 = vectors > 1 ? ScaledWriter(scales + stride, range) : writer0
    writer2 = vectors > 2 ? ScaledWriter(scales + 2 &* stride, range) : writer0
    writer3 = vectors > 3 ? ScaledWriter(scales + 3 &* stride, range) : writer0
    bytes = ByteRange(range)
  }

  @inline(__always)
  func applyEpilogue<Rows: Literal, Vectors: Literal>(
    _ tile: QuantizedTile<Rows, Vectors>, row: Int
  ) {
    let (rows, vectors) = (Rows.value, Vectors.value)
    let output = panelGroup.output + row &* panelGroup.outputStride
    let stride = panelGroup.outputStride
    switch vectors {
    case 1:
      // Rows that a tile does not have are replaced by others, whose second results are not stored.
      let isLow = rows < 4
      write(
        quad(tile.r0, tile.r1, isLow ? tile.r0 : tile.r2, isLow ? tile.r1 : tile.r3),
        to: output, rows: smaller(rows, 4), vectors: 1)
      guard rows > 4 else { return }
      let isHigh = rows > 6
      write(
        quad(tile.r4, tile.r5, isHigh ? tile.r6 : tile.r4, isHigh ? tile.r7 : tile.r5),
        to: output + 4 &* stride, rows: rows &- 4, vectors: 1)
    case 2:
      write(pair(tile.r0, tile.r1), to: output, rows: 2, vectors: 2)
      guard rows > 2 else { return }
      write(pair(tile.r2, tile.r3), to: output + 2 &* stride, rows: 2, vectors: 2)
      guard rows > 4 else { return }
      write(pair(tile.r4, tile.r5), to: output + 4 &* stride, rows: 2, vectors: 2)
      guard rows > 6 else { return }
      write(pair(tile.r6, tile.r7), to: output + 6 &* stride, rows: 2, vectors: 2)
    default:
      write(four(tile.r0, vectors), to: output, rows: 1, vectors: vectors)
      write(four(tile.r1, vectors), to: output + stride, rows: 1, vectors: vectors)
      guard rows > 2 else { return }
      write(four(tile.r2, vectors), to: output + 2 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r3, vectors), to: output + 3 &* stride, rows: 1, vectors: vectors)
      guard rows > 4 else { return }
      write(four(tile.r4, vectors), to: output + 4 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r5, vectors), to: output + 5 &* stride, rows: 1, vectors: vectors)
      guard rows > 6 else { return }
      write(four(tile.r6, vectors), to: output + 6 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r7, vectors), to: output + 7 &* stride, rows: 1, vectors: vectors)
    }
  }

  @inline(__always)
  private func quad(
    _ a: QuantizedTileRow, _ b: QuantizedTileRow, _ c: QuantizedTileRow, _ d: QuantizedTileRow
  ) -> SumVector {
    bytes.narrow(
      writer0.scaled(a.v0), writer0.scaled(b.v0), writer0.scaled(c.v0), writer0.scaled(d.v0))
  }

  @inline(__always)
  private func pair(_ a: QuantizedTileRow, _ b: QuantizedTileRow) -> SumVector {
    bytes.narrow(
      writer0.scaled(a.v0), writer1.scaled(a.v1), writer0.scaled(b.v0), writer1.scaled(b.v1))
  }

  @inline(__always)
  private func four(_ row: QuantizedTileRow, _ vectors: Int) -> SumVector {
    let third = writer2.scaled(row.v2)
    let fourth = vectors > 3 ? writer3.scaled(row.v3) : third
    return bytes.narrow(writer0.scaled(row.v0), writer1.scaled(row.v1), third, fourth)
  }

  /// Writes the bytes of `rows` rows, `vectors` quarters of a vector each.
  @inline(__always)
  private func write(
    _ bytes: SumVector, to output: UnsafeMutableRawPointer, rows: Int, vectors: Int
  ) {
    let quarter = SumVector.scalarCount
    let rowBytes = vectors &* quarter
    guard panelGroup.columns == rowBytes else {
      let starts = RowStarts(
        count: rows, stride: rowBytes, length: panelGroup.columns,
        outputStride: panelGroup.outputStride,
        scratch: panelGroup.scratch)
      return storeRowStarts(bytes, starts, to: output)
    }
    switch vectors {
    case 1:
      let destination = ResultDestination(
        output: output, stride: panelGroup.outputStride, pairStride: 2 &* panelGroup.outputStride,
        width: quarter, scratch: panelGroup.scratch)
      storeQuarters(bytes, count: rows, to: destination)
    case 2: storeHalves(bytes, to: output, output + panelGroup.outputStride)
    case 3:
      let destination = ResultDestination(
        output: output, stride: quarter, pairStride: 2 &* quarter, width: quarter,
        scratch: panelGroup.scratch)
      storeQuarters(bytes, count: 3, to: destination)
    default: store(bytes, to: output)
    }
  }
}
