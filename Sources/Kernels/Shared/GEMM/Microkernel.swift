/// The arithmetic of one step of a GEMM on a vector of columns; floats and integers differ only
/// here.
protocol TileArithmetic {
  associatedtype Vector
  /// Loads four bytes of a row and broadcasts them to every lane.
  static func broadcast(_ row: UnsafeRawPointer) -> Vector
  static func load(_ address: UnsafeRawPointer) -> Vector
  /// Returns the initial sums, from the head of a panel.
  static func start(_ panel: UnsafeRawPointer) -> Vector
  /// Returns the initial sums of one column, whose head is at an address, for several rows.
  static func start(ofColumn head: UnsafeRawPointer) -> Vector
  /// Whether the initial sums contain biases that are otherwise added at the end.
  static var startsWithBias: Bool { get }
  static func accumulate(_ sum: Vector, _ row: Vector, _ weights: Vector) -> Vector
  static func storeSum(_ sum: Vector, to address: UnsafeMutableRawPointer)
  /// The number of bytes of a row, and of a panel's weights, that one step loads.
  static var rowStep: Int { get }
  static var weightStep: Int { get }
  #if LANE_PRODUCTS
    /// Adds the products of all runs of the rows; the weights of neighbouring panels are
    /// `panelStride` bytes apart.
    static func add<Rows: Literal, Vectors: Literal>(
      _ runs: RowRuns, _ offsets: RowOffsets<Rows>, _ weights: UnsafeRawPointer, panelStride: Int,
      to tile: inout AccumulatorTile<Self, Rows, Vectors>)
    /// Loads the first lanes of a vector; `bytes` is a literal at every call: 16, 8 or 4.
    static func loadRow(_ address: UnsafeRawPointer, bytes: Int) -> Vector
    /// Accumulates with one lane of a row; `lane` is a literal at every call.
    static func accumulate(
      _ sum: Vector, _ lane: Int, of row: Vector, _ weights: Vector
    ) -> Vector
  #endif
}

extension TileArithmetic {
  @inline(__always)
  static var rowStep: Int { 4 }

  @inline(__always)
  static var weightStep: Int { MemoryLayout<Vector>.size }

  @inline(__always)
  static var startsWithBias: Bool { false }

  @inline(__always)
  static func start(ofColumn head: UnsafeRawPointer) -> Vector { start(head) }
}

/// The operands of a microkernel: up to `tileRows` rows (MR) times up to `tileVectors` panels (NR).
struct TileOperands {
  /// The first row; every step loads `rowStep` bytes of each.
  var rows: UnsafeRawPointer
  var rowStride: Int
  /// The head of the first panel.
  var panel: UnsafeRawPointer
  var panelStride: Int
  /// The distance from the head of a panel to its weights.
  var weightsOffset: Int
  var steps: Int
  /// The destination of the sums, `tileVectors` vectors per row.
  var sums: UnsafeMutableRawPointer
}

/// The sums of one row of a tile, in four variables so that they stay in registers.
struct AccumulatorRow<Arithmetic: TileArithmetic> {
  var v0, v1, v2, v3: Arithmetic.Vector

  @inline(__always)
  mutating func add(_ row: UnsafeRawPointer, _ weights: AccumulatorRow, vectors: Int) {
    add(Arithmetic.broadcast(row), weights, vectors: vectors)
  }

  @inline(__always)
  mutating func add(_ x: Arithmetic.Vector, _ weights: AccumulatorRow, vectors: Int) {
    v0 = Arithmetic.accumulate(v0, x, weights.v0)
    if vectors > 1 { v1 = Arithmetic.accumulate(v1, x, weights.v1) }
    if vectors > 2 { v2 = Arithmetic.accumulate(v2, x, weights.v2) }
    if vectors > 3 { v3 = Arithmetic.accumulate(v3, x, weights.v3) }
  }

  @inline(__always)
  init(
    _ address: UnsafeRawPointer, stride: Int, vectors: Int,
    _ vector: (UnsafeRawPointer) -> Arithmetic.Vector
  ) {
    v0 = vector(address)
    v1 = vectors > 1 ? vector(address + stride) : v0
    v2 = vectors > 2 ? vector(address + 2 &* stride) : v0
    v3 = vectors > 3 ? vector(address + 3 &* stride) : v0
  }

  @inline(__always)
  func store(to address: UnsafeMutableRawPointer, vectors: Int) {
    let size = MemoryLayout<Arithmetic.Vector>.size
    Arithmetic.storeSum(v0, to: address)
    if vectors > 1 { Arithmetic.storeSum(v1, to: address + size) }
    if vectors > 2 { Arithmetic.storeSum(v2, to: address + 2 &* size) }
    if vectors > 3 { Arithmetic.storeSum(v3, to: address + 3 &* size) }
  }
}

/// Computes a tile.
///
/// There is one out-of-line function per size, so that accumulators share the registers with
/// nothing else.
@inline(never)
private func multiply<Arithmetic: TileArithmetic, Rows: Literal, Vectors: Literal>(
  _ tile: TileOperands, _: Arithmetic.Type, _: Rows.Type, _: Vectors.Type
) {
  #if LANE_PRODUCTS
    if Arithmetic.rowStep == 4 {
      return multiplyByLane(tile, Arithmetic.self, Rows.self, Vectors.self)
    }
  #endif
  let (rows, vectors) = (Rows.value, Vectors.value)
  var r0 = AccumulatorRow<Arithmetic>(tile.panel, stride: tile.panelStride, vectors: vectors) {
    Arithmetic.start($0)
  }
  var r1 = r0, r2 = r0, r3 = r0, r4 = r0, r5 = r0, r6 = r0, r7 = r0
  var row = tile.rows
  let stride = tile.rowStride
  var weights = tile.panel + tile.weightsOffset
  var step = 0
  while step < tile.steps {
    let w = AccumulatorRow<Arithmetic>(weights, stride: tile.panelStride, vectors: vectors) {
      Arithmetic.load($0)
    }
    r0.add(row, w, vectors: vectors)
    if rows > 1 { r1.add(row + stride, w, vectors: vectors) }
    if rows > 2 { r2.add(row + 2 &* stride, w, vectors: vectors) }
    if rows > 3 { r3.add(row + 3 &* stride, w, vectors: vectors) }
    if rows > 4 { r4.add(row + 4 &* stride, w, vectors: vectors) }
    if rows > 5 { r5.add(row + 5 &* stride, w, vectors: vectors) }
    if rows > 6 { r6.add(row + 6 &* stride, w, vectors: vectors) }
    if rows > 7 { r7.add(row + 7 &* stride, w, vectors: vectors) }
    row += Arithmetic.rowStep
    weights += MemoryLayout<Arithmetic.Vector>.size
    step &+= 1
  }
  let sums = tile.sums
  let sumsStride = tileVectors &* MemoryLayout<Arithmetic.Vector>.size
  r0.store(to: sums, vectors: vectors)
  if rows > 1 { r1.store(to: sums + sumsStride, vectors: vectors) }
  if rows > 2 { r2.store(to: sums + 2 &* sumsStride, vectors: vectors) }
  if rows > 3 { r3.store(to: sums + 3 &* sumsStride, vectors: vectors) }
  if rows > 4 { r4.store(to: sums + 4 &* sumsStride, vectors: vectors) }
  if rows > 5 { r5.store(to: sums + 5 &* sumsStride, vectors: vectors) }
  if rows > 6 { r6.store(to: sums + 6 &* sumsStride, vectors: vectors) }
  if rows > 7 { r7.store(to: sums + 7 &* sumsStride, vectors: vectors) }
}

@inline(__always)
private func multiply<Arithmetic: TileArithmetic, Vectors: Literal>(
  _ tile: TileOperands, _ arithmetic: Arithmetic.Type, upToRows rows: Int, _ vectors: Vectors.Type
) {
  switch rows {
  case 1: multiply(tile, arithmetic, One.self, vectors)
  case 2: multiply(tile, arithmetic, Two.self, vectors)
  case 3: multiply(tile, arithmetic, Three.self, vectors)
  case 4: multiply(tile, arithmetic, Four.self, vectors)
  case 5 where tileRows > 4: multiply(tile, arithmetic, Five.self, vectors)
  case 6 where tileRows > 5: multiply(tile, arithmetic, Six.self, vectors)
  case 7 where tileRows > 6: multiply(tile, arithmetic, Seven.self, vectors)
  case 8 where tileRows > 7: multiply(tile, arithmetic, Eight.self, vectors)
  default: break
  }
}

/// Computes a tile of any size up to `tileRows` × `tileVectors`.
@inline(__always)
func multiply<Arithmetic: TileArithmetic>(
  _ tile: TileOperands, _ arithmetic: Arithmetic.Type, upToRows rows: Int, upToVectors vectors: Int
) {
  switch vectors {
  case 1: multiply(tile, arithmetic, upToRows: rows, One.self)
  case 2: multiply(tile, arithmetic, upToRows: rows, Two.self)
  case 3 where tileVectors > 2: multiply(tile, arithmetic, upToRows: rows, Three.self)
  case 4 where tileVectors > 3: multiply(tile, arithmetic, upToRows: rows, Four.self)
  default: break
  }
}

/// Computes a tile of one panel and up to `tileRows` rows.
@inline(__always)
func multiplyPanel<Arithmetic: TileArithmetic>(
  _ tile: TileOperands, _ arithmetic: Arithmetic.Type, upToRows rows: Int
) {
  multiply(tile, arithmetic, upToRows: rows, One.self)
}

/// Visits all tiles of a row slice, panel group by panel group: the weights of a group then stay in
/// the L1 cache for all of its rows.
@inline(__always)
func forEachTile(
  rows: Int, columns: Range<Int>,
  _ body: (_ row: Int, _ rows: Int, _ column: Int, _ columns: Int) -> Void
) {
  let tileColumns = tileVectors &* SumVector.scalarCount
  var column = columns.lowerBound
  while column < columns.upperBound {
    let width = smaller(tileColumns, columns.upperBound &- column)
    var row = 0
    while row < rows {
      body(row, smaller(tileRows, rows &- row), column, width)
      row &+= tileRows
    }
    column &+= tileColumns
  }
}

// Not taken: fewer rows for many columns, so that results stay in the L1 cache (floats,
// 128×128×16, 1×1 → 160: 1.28 → 2.16 ms on Zen 3).
/// Returns the number of rows of a row slice whose copies take about 256 KiB: what the L2 cache
/// holds besides the weights.
@inline(__always)
func sliceRows(rowBytes: Int, tileRows: Int = tileRows) -> Int {
  let rows = (256 &* 1024) / larger(rowBytes, 1)
  return larger(1, smaller(rows / tileRows, 16)) &* tileRows
}

/// Writes a tile of floats: directly if columns fill whole vectors, or else to a buffer, from which
/// it is copied once no sum is in a register any more.
///
/// A call in between would spill all sums to memory, even those of whole vectors. With `MASKS` no
/// copy is needed: `write` gets the number of lanes of the last vectors.
@inline(__always)
func writeTile(
  rows: Int, columns: Int, vectors: Int, to output: UnsafeMutableRawPointer, stride: Int,
  _ write: (_ output: UnsafeMutableRawPointer, _ stride: Int, _ lastLanes: Int) -> Void
) {
  let lanes = FloatVector.scalarCount
  #if MASKS
    write(output, stride, columns &- (vectors &- 1) &* lanes)
  #else
    let rowBytes = vectors &* sumVectorBytes
    // A buffer with a greater alignment would be allocated on the heap.
    withUnsafeTemporaryAllocation(byteCount: rows &* rowBytes, alignment: 16) { buffer in
      let results = buffer.baseAddress.unsafelyUnwrapped
      let isWhole = columns &* 4 == rowBytes
      write(isWhole ? output : results, isWhole ? stride : rowBytes, lanes)
      if isWhole { return }
      for row in 0..<rows {
        copyEnd(results + row &* rowBytes, to: output + row &* stride, count: columns &* 4)
      }
    }
  #endif
}

/// Stores a vector of a row of a tile; the last vector may have fewer lanes.
@inline(__always)
func storeInTile(
  _ vector: FloatVector, _ index: Int, of vectors: Int, lastLanes: Int,
  to row: UnsafeMutableRawPointer
) {
  let address = row + index &* sumVectorBytes
  #if MASKS
    if index &+ 1 == vectors && lastLanes < FloatVector.scalarCount {
      return storeLanes(vector, count: lastLanes, to: address)
    }
  #endif
  store(vector, to: address)
}
