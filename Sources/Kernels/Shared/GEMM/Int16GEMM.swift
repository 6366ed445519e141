import OcellusKernelABI

// Packed weights are a header and panels. A panel is the head of an `Int16Panel` and, for every two
// elements of the depth, one vector of 16-bit integers: lane by lane those of a column, or with
// `LANE_PRODUCTS` the first elements of all columns and then the second ones.
//
// Products are summed in 32 bits over segments of the depth that cannot overflow: all of it where
// the magnitudes of no column's weights add up to more than 65535, since no input exceeds 2¹⁵. Then
// these sums are added in 64 bits. A single step of two elements overflows if all four numbers are
// -2¹⁵; as no other sum is then -2³¹ in 32 bits, that value stands for 2³¹.

var int16GEMM: Int16GEMM {
  Int16GEMM(
    panelColumns: SumVector.scalarCount, tileRows: tileRows, packedByteCount: packedByteCount,
    pack: pack, scratchByteCount: scratchByteCount, run: multiply)
}

/// The number of two-element steps whose sums fit 32 bits for any 8-bit weights.
private let safeSteps = 255
/// The greatest sum of weight magnitudes that cannot overflow 32 bits.
private let largestMagnitude = 65535

/// The arithmetic of 16-bit integers, two per lane, summed from zero in 32 bits.
enum Int16Arithmetic: TileArithmetic {
  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
    SumVector(repeating: loadInt32(row))
  }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> SumVector { loadSums(address) }

  /// Returns zero; the bias is added in 64 bits.
  @inline(__always)
  static func start(_ panel: UnsafeRawPointer) -> SumVector { SumVector() }

  @inline(__always)
  static func accumulate(_ sum: SumVector, _ row: SumVector, _ weights: SumVector) -> SumVector {
    dotPairs(sum, row, weights)
  }

  @inline(__always)
  static func storeSum(_ sum: SumVector, to address: UnsafeMutableRawPointer) {
    store(sum, to: address)
  }

  #if LANE_PRODUCTS
    @inline(__always)
    static func accumulate(
      _ sum: SumVector, _ lane: Int, of row: SumVector, _ weights: SumVector
    ) -> SumVector { addPairs(sum, lane, of: row, weights) }
  #endif
}

struct Int16Elements: PatchElements {
  @inline(__always)
  var inputBytes: Int { 2 }
  @inline(__always)
  var rowBytes: Int { 2 }

  @inline(__always)
  func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int) {
    copyBytes(source, to: row, count: count &* 2)
  }

  @inline(__always)
  func copyBlock(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
    storeInt32s(loadInt32s(source), to: row)
  }

  @inline(__always)
  func copyBlocks(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
    copyBytes(source, to: row, count: 64)
  }

  @inline(__always)
  var paddingVector: SumVector { SumVector() }
}

// MARK: Packing

@inline(__always)
private func steps(_ depth: Int) -> Int { (depth &+ 1) / 2 }

@inline(__always)
private func panelBytes(_ depth: Int) -> Int {
  Int16Panel.headBytes &+ steps(depth) &* sumVectorBytes
}

private func packedByteCount(columns: Int, depth: Int) -> Int {
  Int16Panel.headerBytes + (columns + SumVector.scalarCount - 1) / SumVector.scalarCount
    * panelBytes(depth)
}

private func pack(_ arguments: Int16PackingArguments) {
  let lanes = SumVector.scalarCount
  let bytes = panelBytes(arguments.depth)
  var panel = arguments.packed + Int16Panel.headerBytes
  var column = 0
  var magnitudes = WeightMagnitudes()
  while column < arguments.columns {
    fillWithZeros(panel, count: bytes)
    for lane in 0..<smaller(lanes, arguments.columns &- column) {
      Int16Panel.packHead(
        arguments.requantization, bias: arguments.bias, column: column &+ lane, lane: lane,
        to: panel)
      packColumn(arguments, column &+ lane, lane, to: panel, &magnitudes)
    }
    panel += bytes
    column &+= lanes
  }
  let segment =
    magnitudes.largestSum <= largestMagnitude
    ? steps(arguments.depth) : arguments.has16BitWeights ? magnitudes.safeSteps : safeSteps
  Int16Header(kind: Int16Kind.of(arguments.requantization), segment: segment)
    .write(to: arguments.packed)
}

/// Packs the weights of one column.
@inline(__always)
private func packColumn(
  _ arguments: Int16PackingArguments, _ column: Int, _ lane: Int,
  to panel: UnsafeMutableRawPointer, _ magnitudes: inout WeightMagnitudes
) {
  let depth = arguments.depth
  // The branch is here so that it is not taken once per weight.
  if arguments.has16BitWeights {
    let weights = arguments.filter + column &* depth &* 2
    packColumn(depth: depth, lane, to: panel, &magnitudes) { loadInt16(weights + $0 &* 2) }
  } else {
    let weights = arguments.filter + column &* depth
    packColumn(depth: depth, lane, to: panel, &magnitudes) {
      Int16(Int8(truncatingIfNeeded: loadByte(weights + $0)))
    }
  }
}

@inline(__always)
private func packColumn(
  depth: Int, _ lane: Int, to panel: UnsafeMutableRawPointer,
  _ magnitudes: inout WeightMagnitudes, weight: (_ element: Int) -> Int16
) {
  #if LANE_PRODUCTS
    let (columnBytes, elementBytes) = (2, sumVectorBytes / 2)
  #else
    let (columnBytes, elementBytes) = (4, 2)
  #endif
  var target = panel + (Int16Panel.headBytes &+ lane &* columnBytes)
  var sums = ColumnMagnitudes()
  for step in 0..<steps(depth) {
    let first = weight(2 &* step)
    let second = 2 &* step &+ 1 < depth ? weight(2 &* step &+ 1) : 0
    store(first, to: target)
    store(second, to: target + elementBytes)
    sums.add(magnitude(first) &+ magnitude(second), step, &magnitudes)
    target += sumVectorBytes
  }
  sums.applyEpilogue(&magnitudes)
}

@inline(__always)
private func magnitude(_ weight: Int16) -> Int {
  Int(weight < 0 ? 0 &- Int32(weight) : Int32(weight))
}

/// The sums of weight magnitudes, each the maximum over all columns.
private struct WeightMagnitudes {
  var largestSum = 0
  /// The greatest sums over aligned segments of two and of four steps.
  var largestOfTwo = 0
  var largestOfFour = 0

  /// The number of steps of 16-bit weights whose products can be summed in 32 bits.
  var safeSteps: Int {
    largestOfFour <= largestMagnitude ? 4 : largestOfTwo <= largestMagnitude ? 2 : 1
  }
}

/// The running sums of the weight magnitudes of one column.
private struct ColumnMagnitudes {
  private var sum = 0
  /// The sums before the current segment of two and of four steps.
  private var beforeTwo = 0
  private var beforeFour = 0

  @inline(__always)
  mutating func add(_ magnitude: Int, _ step: Int, _ magnitudes: inout WeightMagnitudes) {
    sum &+= magnitude
    if step & 1 == 1 { endTwo(&magnitudes) }
    if step & 3 == 3 { endFour(&magnitudes) }
  }

  @inline(__always)
  mutating func applyEpilogue(_ magnitudes: inout WeightMagnitudes) {
    endTwo(&magnitudes)
    endFour(&magnitudes)
    magnitudes.largestSum = larger(magnitudes.largestSum, sum)
  }

  @inline(__always)
  private mutating func endTwo(_ magnitudes: inout WeightMagnitudes) {
    magnitudes.largestOfTwo = larger(magnitudes.largestOfTwo, sum &- beforeTwo)
    beforeTwo = sum
  }

  @inline(__always)
  private mutating func endFour(_ magnitudes: inout WeightMagnitudes) {
    magnitudes.largestOfFour = larger(magnitudes.largestOfFour, sum &- beforeFour)
    beforeFour = sum
  }
}

// MARK: Running

// Scratch: the sums of a tile in 32 bits, in 64 bits (even lanes before odd lanes), the im2col
// copies of a row slice. The bytes that pad a row to four bytes are never written: their weights
// are zero.

private let tileBytes = tileRows * tileVectors * sumVectorBytes

private func rowBytes(_ geometry: PatchGeometry) -> Int { steps(geometry.patchDepth) &* 4 }

private func scratchByteCount(_ geometry: PatchGeometry) -> Int {
  let bytes = rowBytes(geometry)
  return roundUp(3 * tileBytes + sliceRows(rowBytes: bytes) * bytes + patchSlack, to: 64)
}

private func multiply(_ arguments: GEMMBlock<QuantizedRange>) {
  let geometry = arguments.patches
  let bytes = rowBytes(geometry)
  let block = sliceRows(rowBytes: bytes)
  let patches = arguments.scratch + 3 &* tileBytes
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    let rows = Range(
      uncheckedBounds: (row, smaller(row &+ block, arguments.rows.upperBound)))
    im2col(
      rows, of: geometry, from: arguments.input, to: patches, rowStride: bytes,
      as: Int16Elements())
    multiplyBlock(arguments, rows, at: patches, rowStride: bytes)
    row &+= block
  }
}

private func multiplyBlock(
  _ arguments: GEMMBlock<QuantizedRange>, _ block: Range<Int>, at first: UnsafeRawPointer,
  rowStride: Int
) {
  let lanes = SumVector.scalarCount
  let header = Int16Header(arguments.packed)
  let stride = panelBytes(arguments.patches.patchDepth)
  let stepCount = steps(arguments.patches.patchDepth)
  forEachTile(
    rows: block.upperBound &- block.lowerBound, columns: arguments.columns
  ) { row, rows, column, columns in
    let panel = arguments.packed + (Int16Panel.headerBytes &+ column / lanes &* stride)
    let tile = Int64SumTile(
      sums32: arguments.scratch, sums: arguments.scratch + tileBytes, rows: rows,
      vectors: (columns &+ lanes &- 1) / lanes, panel: panel, panelStride: stride)
    var step = 0
    while step < stepCount {
      multiply(
        TileOperands(
          rows: first + (row &* rowStride &+ step &* 4), rowStride: rowStride, panel: panel,
          panelStride: stride, weightsOffset: Int16Panel.headBytes &+ step &* sumVectorBytes,
          steps: smaller(header.segment, stepCount &- step), sums: arguments.scratch),
        Int16Arithmetic.self, upToRows: rows, upToVectors: tile.vectors)
      tile.add(isFirst: step == 0)
      step &+= header.segment
    }
    let output =
      arguments.output
      + ((block.lowerBound &+ row) &* arguments.outputStride &+ column) &* 2
    tile.scale(
      header.kind, range: arguments.epilogue, to: output,
      stride: arguments.outputStride &* 2, columns: columns)
  }
}
