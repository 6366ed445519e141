import OcellusKernelABI

// Many rows of rounded floats times up to `tileVectors` panels, whose sums stay in registers until they are
// floats again.

/// Computes a strip.
@inline(__always)
func multiplyStrip(_ strip: QuantizedStrip, _ scaling: HybridScaling) {
  switch (strip.columns &+ SumVector.scalarCount &- 1) / SumVector.scalarCount {
  case 1 where strip.isTall: multiplyPanel(strip, scaling, HybridFinish.self)
  case 1: multiplyStrip(strip, scaling, HybridFinish.self, One.self)
  case 2: multiplyStrip(strip, scaling, HybridFinish.self, Two.self)
  case 3 where tileVectors > 2: multiplyStrip(strip, scaling, HybridFinish.self, Three.self)
  case 4 where tileVectors > 3: multiplyStrip(strip, scaling, HybridFinish.self, Four.self)
  default: break
  }
}

/// Turns the sums of up to four vectors of columns into floats.
private struct HybridFinish: StripFinish {
  private let strip: QuantizedStrip
  private let scaling: HybridScaling
  private let columns0, columns1, columns2, columns3: HybridColumns
  /// The same for rows that were all rounded alike.
  private let vector0, vector1, vector2, vector3: HybridVector

  @inline(__always)
  init(_ strip: QuantizedStrip, _ scaling: HybridScaling, vectors: Int) {
    (self.strip, self.scaling) = (strip, scaling)
    let scales = strip.panel + sumVectorBytes
    let stride = strip.panelStride
    columns0 = HybridColumns(scales, scaling)
    columns1 = vectors > 1 ? HybridColumns(scales + stride, scaling) : columns0
    columns2 = vectors > 2 ? HybridColumns(scales + 2 &* stride, scaling) : columns0
    columns3 = vectors > 3 ? HybridColumns(scales + 3 &* stride, scaling) : columns0
    let rounding = scaling.rows.pointee
    (vector0, vector1) = (columns0[rounding], columns1[rounding])
    (vector2, vector3) = (columns2[rounding], columns3[rounding])
  }

  @inline(__always)
  func finish<Rows: Literal, Vectors: Literal>(
    _ tile: StripTile<Rows, Vectors>, row: Int
  ) {
    finish(tile.r0, row: row, Vectors.self)
    if Rows.value > 1 { finish(tile.r1, row: row &+ 1, Vectors.self) }
    if Rows.value > 2 { finish(tile.r2, row: row &+ 2, Vectors.self) }
    if Rows.value > 3 { finish(tile.r3, row: row &+ 3, Vectors.self) }
    if Rows.value > 4 { finish(tile.r4, row: row &+ 4, Vectors.self) }
    if Rows.value > 5 { finish(tile.r5, row: row &+ 5, Vectors.self) }
    if Rows.value > 6 { finish(tile.r6, row: row &+ 6, Vectors.self) }
    if Rows.value > 7 { finish(tile.r7, row: row &+ 7, Vectors.self) }
  }

  @inline(__always)
  private func finish<Vectors: Literal>(_ sums: StripRow, row: Int, _: Vectors.Type) {
    let vectors = Vectors.value
    let output = strip.output + row &* strip.outputStride
    if scaling.stride == 0 {
      store(vector0(sums.v0), to: output, 0, vectors)
      if vectors > 1 { store(vector1(sums.v1), to: output, 1, vectors) }
      if vectors > 2 { store(vector2(sums.v2), to: output, 2, vectors) }
      if vectors > 3 { store(vector3(sums.v3), to: output, 3, vectors) }
    } else {
      let rounding = scaling.rows[row &* scaling.stride]
      store(columns0(sums.v0, rounding), to: output, 0, vectors)
      if vectors > 1 { store(columns1(sums.v1, rounding), to: output, 1, vectors) }
      if vectors > 2 { store(columns2(sums.v2, rounding), to: output, 2, vectors) }
      if vectors > 3 { store(columns3(sums.v3, rounding), to: output, 3, vectors) }
    }
  }

  /// Stores a vector of a row; the last one may have fewer columns.
  @inline(__always)
  private func store(
    _ result: FloatVector, to output: UnsafeMutableRawPointer, _ vector: Int, _ vectors: Int
  ) {
    let target = output + vector &* sumVectorBytes
    let left = strip.columns &- vector &* FloatVector.scalarCount
    if vector &+ 1 < vectors || left == FloatVector.scalarCount {
      target.storeBytes(of: result, as: FloatVector.self)
    } else {
      storeLanes(result, count: left, to: target)
    }
  }
}
