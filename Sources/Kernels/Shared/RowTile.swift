/// The sums of up to six rows: variables, so that they stay in registers.
///
/// `Rows` and `Vectors` are types and not numbers: what differs in numbers the optimiser makes one
/// function of again.
struct RowTile<Arithmetic: TileArithmetic, Rows: Literal, Vectors: Literal> {
  var r0, r1, r2, r3, r4, r5: TileRow<Arithmetic>

  /// Starts with what the heads of the panels say.
  @inline(__always)
  init(panel: UnsafeRawPointer, panelStride: Int) {
    r0 = TileRow(panel, stride: panelStride, vectors: Vectors.value) { Arithmetic.start($0) }
    r1 = r0
    r2 = r0
    r3 = r0
    r4 = r0
    r5 = r0
  }

  /// Adds the products of rows from `row` on with weights, of which those of the next panel are
  /// `panelStride` bytes further on.
  @inline(__always)
  mutating func addProducts(
    _ rows: StripRows, row: Int, weights: UnsafeRawPointer, panelStride: Int
  ) {
    let offsets = rows.offsets + row
    let o0 = Int(offsets[0])
    let o1 = Rows.value > 1 ? Int(offsets[1]) : 0, o2 = Rows.value > 2 ? Int(offsets[2]) : 0
    let o3 = Rows.value > 3 ? Int(offsets[3]) : 0, o4 = Rows.value > 4 ? Int(offsets[4]) : 0
    let o5 = Rows.value > 5 ? Int(offsets[5]) : 0
    let vectors = Vectors.value
    var weights = weights
    var run = rows.start
    let steps = (rows.runBytes &+ 3) / 4
    for _ in 0..<rows.runs {
      var place = run
      for _ in 0..<steps {
        let w = TileRow<Arithmetic>(weights, stride: panelStride, vectors: vectors) {
          Arithmetic.load($0)
        }
        r0.add(place + o0, w, vectors: vectors)
        if Rows.value > 1 { r1.add(place + o1, w, vectors: vectors) }
        if Rows.value > 2 { r2.add(place + o2, w, vectors: vectors) }
        if Rows.value > 3 { r3.add(place + o3, w, vectors: vectors) }
        if Rows.value > 4 { r4.add(place + o4, w, vectors: vectors) }
        if Rows.value > 5 { r5.add(place + o5, w, vectors: vectors) }
        place += 4
        weights += MemoryLayout<Arithmetic.Vector>.size
      }
      run += rows.runStride
    }
  }
}
