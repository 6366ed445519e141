/// The greatest length of rows, in bytes, for which four panels stay in the L1 cache.
let maximumShallowRowBytes = 512

/// The sums of up to eight rows, in separate variables so that they stay in registers.
///
/// `Rows` and `Vectors` are types instead of numbers: the optimiser would merge variants that
/// differ only in numbers into one function.
struct AccumulatorTile<Arithmetic: TileArithmetic, Rows: Literal, Vectors: Literal> {
  var r0, r1, r2, r3, r4, r5, r6, r7: AccumulatorRow<Arithmetic>

  /// Creates the initial sums, from the heads of the panels.
  @inline(__always)
  init(panel: UnsafeRawPointer, panelStride: Int) {
    r0 = AccumulatorRow(panel, stride: panelStride, vectors: Vectors.value) { Arithmetic.start($0) }
    r1 = r0
    r2 = r0
    r3 = r0
    r4 = r0
    r5 = r0
    r6 = r0
    r7 = r0
  }

  // Not taken: a closure for the body of the loop (sums went to memory, for a third of the speed),
  // and loops that begin at cache lines (as long).
  /// Adds the products of the tile's rows, beginning with `row`, and the weights of panels that are
  /// `panelStride` bytes apart.
  ///
  /// With `streamStep`, panels are interleaved step by step, and their weights are read only once;
  /// `asksAhead`, a literal at every call, prefetches them.
  @inline(__always)
  mutating func addProducts(
    _ rows: IndirectRows, row: Int, weights: UnsafeRawPointer, panelStride: Int,
    streamStep: Int? = nil, asksAhead: Bool = false
  ) {
    let offsets = RowOffsets<Rows>(rows.offsets + row)
    let steps = (rows.runBytes &+ 3) / 4
    #if LANE_PRODUCTS
      let runs = RowRuns(
        start: rows.start, count: rows.runs, stride: rows.runStride, steps: steps)
      Arithmetic.add(runs, offsets, weights, panelStride: panelStride, to: &self)
    #else
      // Loops with their tests at the end keep the sums in the same registers.
      guard rows.runs > 0 && steps > 0 else { return }
      var weights = weights
      var run = rows.start
      var runsLeft = rows.runs
      repeat {
        var address = run
        var stepsLeft = steps
        repeat {
          let w = AccumulatorRow<Arithmetic>(weights, stride: panelStride, vectors: Vectors.value) {
            Arithmetic.load($0)
          }
          if asksAhead {
            prefetchLines(weights + prefetchDistance, count: Vectors.value &* Arithmetic.weightStep)
          }
          add(address, offsets, w)
          address += 4
          weights += streamStep ?? Arithmetic.weightStep
          stepsLeft &-= 1
        } while stepsLeft > 0
        run += rows.runStride
        runsLeft &-= 1
      } while runsLeft > 0
    #endif
  }

  /// Adds the products of one step.
  @inline(__always)
  mutating func add(
    _ address: UnsafeRawPointer, _ rows: RowOffsets<Rows>, _ weights: AccumulatorRow<Arithmetic>
  ) {
    add(address, rows, weights) { Arithmetic.broadcast($0) }
  }

  /// Adds the products of one step, with rows that are loaded by `read`.
  @inline(__always)
  mutating func add(
    _ address: UnsafeRawPointer, _ rows: RowOffsets<Rows>, _ weights: AccumulatorRow<Arithmetic>,
    _ read: (UnsafeRawPointer) -> Arithmetic.Vector
  ) {
    let vectors = Vectors.value
    r0.add(read(address + rows.o0), weights, vectors: vectors)
    if Rows.value > 1 { r1.add(read(address + rows.o1), weights, vectors: vectors) }
    if Rows.value > 2 { r2.add(read(address + rows.o2), weights, vectors: vectors) }
    if Rows.value > 3 { r3.add(read(address + rows.o3), weights, vectors: vectors) }
    if Rows.value > 4 { r4.add(read(address + rows.o4), weights, vectors: vectors) }
    if Rows.value > 5 { r5.add(read(address + rows.o5), weights, vectors: vectors) }
    if Rows.value > 6 { r6.add(read(address + rows.o6), weights, vectors: vectors) }
    if Rows.value > 7 { r7.add(read(address + rows.o7), weights, vectors: vectors) }
  }
}

/// The offsets of a tile's rows.
struct RowOffsets<Rows: Literal> {
  var o0, o1, o2, o3, o4, o5, o6, o7: Int

  @inline(__always)
  init(_ offsets: UnsafePointer<Int32>) {
    o0 = Int(offsets[0])
    o1 = Rows.value > 1 ? Int(offsets[1]) : 0
    o2 = Rows.value > 2 ? Int(offsets[2]) : 0
    o3 = Rows.value > 3 ? Int(offsets[3]) : 0
    o4 = Rows.value > 4 ? Int(offsets[4]) : 0
    o5 = Rows.value > 5 ? Int(offsets[5]) : 0
    o6 = Rows.value > 6 ? Int(offsets[6]) : 0
    o7 = Rows.value > 7 ? Int(offsets[7]) : 0
  }
}

/// The rows of a GEMM, at any addresses: an indirection buffer.
struct IndirectRows {
  /// The address that the offsets of all rows are relative to.
  var start: UnsafeRawPointer
  var offsets: UnsafePointer<Int32>
  var count: Int
  /// The contiguous runs that make up a row, the distance between them, and their size.
  var runs: Int
  var runStride: Int
  var runBytes: Int
  /// Whether the sign bit of every byte must be toggled after loading; only some tiles can.
  var isSignToggled = false
  #if MATRIX_TILES
    /// The end of the memory that may be read, or `nil` if there is slack after the rows.
    var end: UnsafeRawPointer?
  #endif

  /// The size of a row in bytes.
  @inline(__always)
  var bytes: Int { runs &* runBytes }
}
