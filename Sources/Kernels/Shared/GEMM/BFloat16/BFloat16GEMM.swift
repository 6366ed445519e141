import OcellusKernelABI

// GEMM of floats whose factors are rounded to bfloat16, on vectors. The order of its sums is that of
// Intel's matrix unit: the elements of each run of the depth are divided into blocks of 32, the
// products of the even and of the odd ones in a block are added in two chains from zero, and their
// sum is added to that of the blocks before. The bias is added last.
//
// Rows are copied as floats that are already rounded, since broadcasting them costs no arithmetic;
// weights are pairs, which take half of the memory.

/// The rows of a tile: with two chains for each sum, six rows and one or two vectors fill the
/// registers.
private let bfloat16TileRows = BFloat16MultiplyAdd.TileRows.value
/// The vectors of a tile.
private let bfloat16TileVectors = vectorRegisters >= 32 ? 2 : 1

private let vectorBytes = MemoryLayout<FloatVector>.size

private typealias Sums<Rows: Literal, Vectors: Literal> = AccumulatorTile<
  FloatArithmetic<BFloat16MultiplyAdd>, Rows, Vectors
>
private typealias Weights = AccumulatorRow<FloatArithmetic<BFloat16MultiplyAdd>>

/// Multiplication on vectors.
enum BFloat16Vectors: BFloat16Multiplication {
  static var names: (implicitGEMM: StaticString, im2col: StaticString) {
    ("implicit-gemm", "im2col")
  }
  static var tileRows: Int { bfloat16TileRows }
  static var scratchByteCount: Int { 0 }
  @inline(__always)
  static var elements: FloatsAsBFloat16 { FloatsAsBFloat16() }

  static func panels(_ geometry: PatchGeometry) -> PairedPanels { PairedPanels(geometry) }
  static func refusal(_: GEMMProblem) -> StrategyRefusal? { nil }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    KernelWork(
      tiles: problem.rows, problem, steps: problem.patches.patchDepth,
      tileRows: bfloat16TileRows, tileVectors: bfloat16TileVectors)
  }

  static func multiply(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rows: IndirectRows, from firstRow: Int
  ) { multiplyPanelGroups(arguments, rows, from: firstRow) }
}

/// Multiplies a row slice by all panels, one panel group after the other, whose weights then stay
/// in the L1 cache.
private func multiplyPanelGroups(
  _ arguments: GEMMBlock<FloatEpilogue>, _ rows: IndirectRows, from firstRow: Int
) {
  let panelStride = PairedPanels(arguments.patches).stride
  let output = arguments.results + firstRow &* arguments.outputStride
  var column = arguments.columns.lowerBound
  while column < arguments.columns.upperBound {
    let columns = smaller(
      bfloat16TileVectors &* FloatVector.scalarCount, arguments.columns.upperBound &- column)
    let panelGroup = FloatPanelGroup(
      rows: rows, panel: arguments.packed + column / FloatVector.scalarCount &* panelStride,
      panelStride: panelStride, output: UnsafeMutableRawPointer(output + column),
      columns: columns, outputStride: arguments.outputStride &* 4,
      low: FloatVector(repeating: arguments.epilogue.minimum),
      high: FloatVector(repeating: arguments.epilogue.maximum))
    if bfloat16TileVectors > 1 && columns > FloatVector.scalarCount {
      multiply(panelGroup, Two.self)
    } else {
      multiply(panelGroup, One.self)
    }
    column &+= columns
  }
}

/// Computes a panel group: rows in whole tiles, and the remaining rows in a smaller one.
@inline(__always)
private func multiply<Vectors: Literal>(_ panelGroup: FloatPanelGroup, _ vectors: Vectors.Type) {
  let count = panelGroup.rows.count
  let rest = count % bfloat16TileRows
  let whole = count &- rest
  if whole > 0 {
    multiplyTiles(panelGroup, Range(uncheckedBounds: (0, whole)), Six.self, vectors)
  }
  let last = Range(uncheckedBounds: (whole, count))
  switch rest {
  case 1: multiplyTiles(panelGroup, last, One.self, vectors)
  case 2: multiplyTiles(panelGroup, last, Two.self, vectors)
  case 3: multiplyTiles(panelGroup, last, Three.self, vectors)
  case 4: multiplyTiles(panelGroup, last, Four.self, vectors)
  case 5: multiplyTiles(panelGroup, last, Five.self, vectors)
  default: break
  }
}

/// Computes tiles of one size, out of line so that accumulators share the registers with nothing
/// else.
@inline(never)
private func multiplyTiles<Rows: Literal, Vectors: Literal>(
  _ panelGroup: FloatPanelGroup, _ rows: Range<Int>, _: Rows.Type, _: Vectors.Type
) {
  var row = rows.lowerBound
  var output = panelGroup.output + row &* panelGroup.outputStride
  while row < rows.upperBound {
    var sums = Sums<Rows, Vectors>(panel: panelGroup.panel, panelStride: panelGroup.panelStride)
    sums.addBlocks(
      panelGroup.rows, row: row, panel: panelGroup.panel, panelStride: panelGroup.panelStride)
    panelGroup.applyEpilogue(sums, to: output)
    row &+= Rows.value
    output += Rows.value &* panelGroup.outputStride
  }
}

extension AccumulatorTile where Arithmetic == FloatArithmetic<BFloat16MultiplyAdd> {
  /// Adds the products of the tile's rows, beginning with `row`, block by block of each run.
  @inline(__always)
  fileprivate mutating func addBlocks(
    _ rows: IndirectRows, row: Int, panel: UnsafeRawPointer, panelStride: Int
  ) {
    let offsets = RowOffsets<Rows>(rows.offsets + row)
    let elements = rows.runBytes / 4
    var weights = panel + vectorBytes
    var run = rows.start
    for _ in 0..<rows.runs {
      var address = run
      var left = elements
      while left > 0 {
        let count = smaller(left, 2 &* pairsPerBlock)
        var evens = Self(panel: panel, panelStride: panelStride)
        var odds = evens
        evens.addPairs(
          count / 2, to: &odds, address, offsets, weights: weights, panelStride: panelStride)
        address += (count & ~1) &* 4
        weights += count / 2 &* vectorBytes
        if count & 1 == 1 {
          evens.add(address, offsets, Self.firstWeights(weights, panelStride))
          weights += vectorBytes
        }
        addSums(of: evens, odds)
        left &-= count
      }
      run += rows.runStride
    }
  }

  /// Adds the products of the first elements of pairs to this tile, and those of the second ones to
  /// another.
  @inline(__always)
  private mutating func addPairs(
    _ count: Int, to odds: inout Self, _ address: UnsafeRawPointer, _ offsets: RowOffsets<Rows>,
    weights: UnsafeRawPointer, panelStride: Int
  ) {
    // Loops with their tests at the end keep the sums in the same registers.
    guard count > 0 else { return }
    var address = address
    var weights = weights
    var left = count
    repeat {
      add(address, offsets, Self.firstWeights(weights, panelStride))
      odds.add(address + 4, offsets, Self.secondWeights(weights, panelStride))
      address += 8
      weights += vectorBytes
      left &-= 1
    } while left > 0
  }

  @inline(__always)
  private static func firstWeights(_ weights: UnsafeRawPointer, _ panelStride: Int) -> Weights {
    Weights(weights, stride: panelStride, vectors: Vectors.value) { firstOfPairs(loadSums($0)) }
  }

  @inline(__always)
  private static func secondWeights(_ weights: UnsafeRawPointer, _ panelStride: Int) -> Weights {
    Weights(weights, stride: panelStride, vectors: Vectors.value) { secondOfPairs(loadSums($0)) }
  }

  /// Adds the sums of the two chains of a block.
  @inline(__always)
  private mutating func addSums(of evens: Self, _ odds: Self) {
    let vectors = Vectors.value
    r0.addSums(of: evens.r0, odds.r0, vectors: vectors)
    if Rows.value > 1 { r1.addSums(of: evens.r1, odds.r1, vectors: vectors) }
    if Rows.value > 2 { r2.addSums(of: evens.r2, odds.r2, vectors: vectors) }
    if Rows.value > 3 { r3.addSums(of: evens.r3, odds.r3, vectors: vectors) }
    if Rows.value > 4 { r4.addSums(of: evens.r4, odds.r4, vectors: vectors) }
    if Rows.value > 5 { r5.addSums(of: evens.r5, odds.r5, vectors: vectors) }
  }
}

extension AccumulatorRow where Arithmetic.Vector == FloatVector {
  @inline(__always)
  fileprivate mutating func addSums(of evens: Self, _ odds: Self, vectors: Int) {
    v0 = v0 + (evens.v0 + odds.v0)
    if vectors > 1 { v1 = v1 + (evens.v1 + odds.v1) }
  }
}
