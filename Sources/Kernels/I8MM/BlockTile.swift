import _Builtin_intrinsics.arm.neon

// The instruction `smmla` multiplies eight elements of two rows by eight elements of two columns.
// Therefore, in every two steps of packed weights, the first vector holds two columns, and the
// second vector the other two.

/// The number of elements of the depth per block; rows are padded to whole blocks.
let depthPerBlock = 8

/// Rearranges the weights of some steps from the layout for `dot` to blocks.
func arrangeBlocks(_ weights: UnsafeMutableRawPointer, steps: Int) {
  var address = weights
  for _ in 0..<steps / 2 {
    let first = loadSums(address), second = loadSums(address + sumVectorBytes)
    store(vzip1q_s32(first, second), to: address)
    store(vzip2q_s32(first, second), to: address + sumVectorBytes)
    address += 2 &* sumVectorBytes
  }
}

extension QuantizedArithmetic {
  /// Adds the products of some runs of every row.
  @inline(__always)
  static func add<Rows: Literal, Vectors: Literal>(
    _ runs: RowRuns, _ offsets: RowOffsets<Rows>, _ weights: UnsafeRawPointer, panelStride: Int,
    to tile: inout AccumulatorTile<QuantizedArithmetic, Rows, Vectors>
  ) {
    var sums = BlockTile<Rows, Vectors>(tile)
    var weights = weights
    var run = runs.start
    let blocks = (runs.steps &+ 1) / 2
    for _ in 0..<runs.count {
      sums.addRun(run, offsets, blocks: blocks, weights: weights, panelStride: panelStride)
      run += runs.stride
      weights += 2 &* blocks &* sumVectorBytes
    }
    sums.write(to: &tile)
  }
}

/// The sums of up to four panels, arranged in blocks.
private struct BlockTile<Rows: Literal, Vectors: Literal> {
  private var panel0, panel1, panel2, panel3: BlockPanel<Rows>

  @inline(__always)
  init<Group: RowGroup>(_ tile: AccumulatorTile<QuantizedArithmetic<Group>, Rows, Vectors>) {
    panel0 = BlockPanel(tile.r0.v0, tile.r1.v0, tile.r2.v0, tile.r3.v0)
    panel1 = BlockPanel(tile.r0.v1, tile.r1.v1, tile.r2.v1, tile.r3.v1)
    panel2 = BlockPanel(tile.r0.v2, tile.r1.v2, tile.r2.v2, tile.r3.v2)
    panel3 = BlockPanel(tile.r0.v3, tile.r1.v3, tile.r2.v3, tile.r3.v3)
  }

  @inline(__always)
  func write<Group: RowGroup>(
    to tile: inout AccumulatorTile<QuantizedArithmetic<Group>, Rows, Vectors>
  ) {
    panel0.write(&tile.r0.v0, &tile.r1.v0, &tile.r2.v0, &tile.r3.v0)
    panel1.write(&tile.r0.v1, &tile.r1.v1, &tile.r2.v1, &tile.r3.v1)
    panel2.write(&tile.r0.v2, &tile.r1.v2, &tile.r2.v2, &tile.r3.v2)
    panel3.write(&tile.r0.v3, &tile.r1.v3, &tile.r2.v3, &tile.r3.v3)
  }

  /// Adds the products of a run of every row, two blocks at a time.
  @inline(__always)
  mutating func addRun(
    _ run: UnsafeRawPointer, _ offsets: RowOffsets<Rows>, blocks: Int, weights: UnsafeRawPointer,
    panelStride: Int
  ) {
    var address = run
    var weights = weights
    var left = blocks
    while left >= 2 {
      let rows = RowBlocks<Rows>(address, offsets)
      add(rows.low, weights, panelStride)
      add(rows.high, weights + 2 &* sumVectorBytes, panelStride)
      address += 16
      weights += 4 &* sumVectorBytes
      left &-= 2
    }
    if left > 0 { add(RowPairs(address, offsets), weights, panelStride) }
  }

  @inline(__always)
  private mutating func add(
    _ rows: RowPairs<Rows>, _ weights: UnsafeRawPointer, _ panelStride: Int
  ) {
    panel0.add(rows, weights)
    if Vectors.value > 1 { panel1.add(rows, weights + panelStride) }
    if Vectors.value > 2 { panel2.add(rows, weights + 2 &* panelStride) }
    if Vectors.value > 3 { panel3.add(rows, weights + 3 &* panelStride) }
  }
}

/// Eight bytes of each of two rows, for one or two pairs of rows.
private struct RowPairs<Rows: Literal> {
  var first, second: SumVector

  @inline(__always)
  init(first: SumVector, second: SumVector) {
    self.first = first
    self.second = second
  }

  /// Loads eight bytes per row.
  @inline(__always)
  init(_ address: UnsafeRawPointer, _ offsets: RowOffsets<Rows>) {
    @inline(__always)
    func pair(_ upper: Int, _ lower: Int) -> SumVector {
      asLanes(WideVector(loadInt64(address + upper), loadInt64(address + lower)))
    }
    // If a pair lacks its second row, the first one is repeated.
    first = pair(offsets.o0, Rows.value > 1 ? offsets.o1 : offsets.o0)
    second = Rows.value > 2 ? pair(offsets.o2, Rows.value > 3 ? offsets.o3 : offsets.o2) : first
  }
}

/// Sixteen bytes of every row, as two `RowPairs`.
private struct RowBlocks<Rows: Literal> {
  var low, high: RowPairs<Rows>

  @inline(__always)
  init(_ address: UnsafeRawPointer, _ offsets: RowOffsets<Rows>) {
    let x0 = loadSums(address + offsets.o0)
    let x1 = Rows.value > 1 ? loadSums(address + offsets.o1) : x0
    let x2 = Rows.value > 2 ? loadSums(address + offsets.o2) : x0
    let x3 = Rows.value > 3 ? loadSums(address + offsets.o3) : x2
    high = RowPairs(first: upperHalves(x0, x1), second: upperHalves(x2, x3))
    low = RowPairs(first: lowerHalves(x0, x1), second: lowerHalves(x2, x3))
  }
}

/// The sums of one or two pairs of rows for one panel, two columns per vector.
private struct BlockPanel<Rows: Literal> {
  private var left0, right0, left1, right1: SumVector

  @inline(__always)
  init(_ r0: SumVector, _ r1: SumVector, _ r2: SumVector, _ r3: SumVector) {
    left0 = lowerHalves(r0, r1)
    right0 = upperHalves(r0, r1)
    left1 = lowerHalves(r2, r3)
    right1 = upperHalves(r2, r3)
  }

  @inline(__always)
  func write(
    _ r0: inout SumVector, _ r1: inout SumVector, _ r2: inout SumVector, _ r3: inout SumVector
  ) {
    (r0, r1) = (lowerHalves(left0, right0), upperHalves(left0, right0))
    if Rows.value > 2 {
      (r2, r3) = (lowerHalves(left1, right1), upperHalves(left1, right1))
    }
  }

  @inline(__always)
  mutating func add(_ rows: RowPairs<Rows>, _ weights: UnsafeRawPointer) {
    let left = loadSums(weights), right = loadSums(weights + sumVectorBytes)
    left0 = multiplyBlocks(left0, rows.first, left)
    right0 = multiplyBlocks(right0, rows.first, right)
    if Rows.value > 2 {
      left1 = multiplyBlocks(left1, rows.second, left)
      right1 = multiplyBlocks(right1, rows.second, right)
    }
  }
}

/// Adds the products of two rows and two columns, row by row.
@inline(__always)
private func multiplyBlocks(
  _ sums: SumVector, _ rows: SumVector, _ columns: SumVector
) -> SumVector { vmmlaq_s32(sums, asBytes(rows), asBytes(columns)) }

@inline(__always)
private func lowerHalves(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(vzip1q_s64(asPairs(a), asPairs(b)))
}

@inline(__always)
private func upperHalves(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(vzip2q_s64(asPairs(a), asPairs(b)))
}
