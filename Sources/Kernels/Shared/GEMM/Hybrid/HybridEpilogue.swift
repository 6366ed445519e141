import OcellusKernelABI

// Row slices of quantized floats times a panel group, whose sums stay in registers until they are
// floats again.

/// Computes a panel group.
@inline(__always)
func multiplyPanelGroup(_ panelGroup: QuantizedPanelGroup, _ scaling: HybridScaling) {
  switch (panelGroup.columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount {
  case 1 where panelGroup.usesDoubleHeightTiles:
    multiplyPanel(panelGroup, scaling, HybridEpilogue.self)
  case 1: multiplyPanelGroup(panelGroup, scaling, HybridEpilogue.self, One.self)
  #if TRANSPOSED_OPERANDS
    case 2 where panelGroup.rows.isSignToggled:
      multiplySignToggled(panelGroup, scaling, HybridEpilogue.self)
  #endif
  case 2: multiplyPanelGroup(panelGroup, scaling, HybridEpilogue.self, Two.self)
  case 3 where tileVectors > 2:
    multiplyPanelGroup(panelGroup, scaling, HybridEpilogue.self, Three.self)
  case 4 where tileVectors > 3:
    multiplyPanelGroup(panelGroup, scaling, HybridEpilogue.self, Four.self)
  default: break
  }
}

/// The epilogue that turns the sums of up to four vectors of columns into floats.
private struct HybridEpilogue: PanelGroupEpilogue {
  private let panelGroup: QuantizedPanelGroup
  private let scaling: HybridScaling
  private let columns0, columns1, columns2, columns3: HybridColumns
  /// The scaling for rows that share one quantization.
  private let vector0, vector1, vector2, vector3: HybridVector

  @inline(__always)
  init(_ panelGroup: QuantizedPanelGroup, _ scaling: HybridScaling, vectors: Int) {
    (self.panelGroup, self.scaling) = (panelGroup, scaling)
    let scales = panelGroup.panel + sumVectorBytes
    let stride = panelGroup.panelStride
    columns0 = HybridColumns(scales, scaling)
    columns1 = vectors > 1 ? HybridColumns(scales + stride, scaling) : columns0
    columns2 = vectors > 2 ? HybridColumns(scales + 2 &* stride, scaling) : columns0
    columns3 = vectors > 3 ? HybridColumns(scales + 3 &* stride, scaling) : columns0
    let rounding = scaling.rows.pointee
    (vector0, vector1) = (columns0[rounding], columns1[rounding])
    (vector2, vector3) = (columns2[rounding], columns3[rounding])
  }

  @inline(__always)
  func applyEpilogue<Rows: Literal, Vectors: Literal>(
    _ tile: QuantizedTile<Rows, Vectors>, row: Int
  ) {
    writeTile(
      rows: Rows.value, columns: panelGroup.columns, vectors: Vectors.value,
      to: panelGroup.output + row &* panelGroup.outputStride, stride: panelGroup.outputStride
    ) { output, stride, lastLanes in
      if scaling.stride == 0 {
        write(tile, to: output, stride) { sums, output, _ in
          write(sums, output, lastLanes, Vectors.self)
        }
      } else {
        write(tile, to: output, stride) { sums, output, index in
          write(
            sums, scaling.rows[(row &+ index) &* scaling.stride], output, lastLanes, Vectors.self)
        }
      }
    }
  }

  @inline(__always)
  private func write<Rows: Literal, Vectors: Literal>(
    _ tile: QuantizedTile<Rows, Vectors>, to output: UnsafeMutableRawPointer, _ stride: Int,
    _ writeRow: (_ sums: QuantizedTileRow, _ output: UnsafeMutableRawPointer, _ index: Int) -> Void
  ) {
    writeRow(tile.r0, output, 0)
    if Rows.value > 1 { writeRow(tile.r1, output + stride, 1) }
    if Rows.value > 2 { writeRow(tile.r2, output + 2 &* stride, 2) }
    if Rows.value > 3 { writeRow(tile.r3, output + 3 &* stride, 3) }
    if Rows.value > 4 { writeRow(tile.r4, output + 4 &* stride, 4) }
    if Rows.value > 5 { writeRow(tile.r5, output + 5 &* stride, 5) }
    if Rows.value > 6 { writeRow(tile.r6, output + 6 &* stride, 6) }
    if Rows.value > 7 { writeRow(tile.r7, output + 7 &* stride, 7) }
  }

  /// Writes a row that shares the quantization of all rows.
  @inline(__always)
  private func write<Vectors: Literal>(
    _ sums: QuantizedTileRow, _ output: UnsafeMutableRawPointer, _ lastLanes: Int,
    _: Vectors.Type
  ) {
    let vectors = Vectors.value
    storeInTile(vector0(sums.v0), 0, of: vectors, lastLanes: lastLanes, to: output)
    if vectors > 1 {
      storeInTile(vector1(sums.v1), 1, of: vectors, lastLanes: lastLanes, to: output)
    }
    if vectors > 2 {
      storeInTile(vector2(sums.v2), 2, of: vectors, lastLanes: lastLanes, to: output)
    }
    if vectors > 3 {
      storeInTile(vector3(sums.v3), 3, of: vectors, lastLanes: lastLanes, to: output)
    }
  }

  /// Writes a row that has its own quantization.
  @inline(__always)
  private func write<Vectors: Literal>(
    _ sums: QuantizedTileRow, _ rounding: RowQuantization, _ output: UnsafeMutableRawPointer,
    _ lastLanes: Int,
    _: Vectors.Type
  ) {
    let vectors = Vectors.value
    storeInTile(columns0(sums.v0, rounding), 0, of: vectors, lastLanes: lastLanes, to: output)
    if vectors > 1 {
      storeInTile(columns1(sums.v1, rounding), 1, of: vectors, lastLanes: lastLanes, to: output)
    }
    if vectors > 2 {
      storeInTile(columns2(sums.v2, rounding), 2, of: vectors, lastLanes: lastLanes, to: output)
    }
    if vectors > 3 {
      storeInTile(columns3(sums.v3, rounding), 3, of: vectors, lastLanes: lastLanes, to: output)
    }
  }
}
