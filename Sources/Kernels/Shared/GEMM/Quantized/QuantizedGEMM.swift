import OcellusKernelABI

enum QuantizedArithmetic<Group: RowGroup>: TileArithmetic {
  @inline(__always)
  static var rowStep: Int { 4 &* Group.lanes }

  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector { arranged(Group.broadcast(row)) }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> SumVector { loadSums(address) }
}

/// The integer accumulation that all `QuantizedArithmetic` and byte weights share; they differ only
/// in how operands are loaded.
extension TileArithmetic where Vector == SumVector {
  @inline(__always)
  static func start(_ panel: UnsafeRawPointer) -> SumVector { loadSums(panel) }

  @inline(__always)
  static func accumulate(_ sum: SumVector, _ row: SumVector, _ weights: SumVector) -> SumVector {
    dot(sum, row, weights)
  }

  @inline(__always)
  static func storeSum(_ sum: SumVector, to address: UnsafeMutableRawPointer) {
    store(sum, to: address)
  }
}

// Scratch: the sums of a tile, the zero-point corrections of the rows of a slice, and then either
// its padded input rows (see `PaddedRows`) or the offsets of its rows and their im2col copies. The
// bytes that pad a copied row to a whole step are never written: their weights are zero.

#if MATRIX_TILES
  private let tileBytes = MatrixTiles.scratchByteCount
#else
  private let tileBytes = tileRows * tileVectors * MemoryLayout<SumVector>.size
#endif

/// Returns the number of bytes of an im2col row, padded to whole steps, of which `split` are
/// multiplied at once.
@inline(__always)
func im2colRowBytes(_ geometry: PatchGeometry, runs: Int = 1, split: Int = 1) -> Int {
  roundUp(runs &* quantizedSteps(geometry.patchDepth / runs), to: split) &* 4
}

/// Returns the number of rows of a row slice: as many as the L2 cache holds, but at least
/// `minimumSliceRows`.
@inline(__always)
private func sliceRowCount(rowBytes: Int) -> Int {
  larger(sliceRows(rowBytes: rowBytes, tileRows: blockRows), minimumSliceRows)
}

/// Returns the number of rows of a row slice such that all slices have about the same size: a short
/// last slice would compute many rows of the one before again.
///
/// Tiles with transposed operands (few columns) have as many rows as there are lanes, which only
/// the longest slices suit.
@inline(__always)
private func balancedSliceRows(of product: GEMMBlock<QuantizedEpilogue>, maximum: Int) -> Int {
  let columns = product.columns.upperBound &- product.columns.lowerBound
  guard columns > SumVector.scalarCount / 2 else { return maximum }
  let rows = product.rows.upperBound &- product.rows.lowerBound
  let count = larger((rows &+ maximum &- 1) / maximum, 1)
  return larger(smaller(maximum, roundUp((rows &+ count &- 1) / count, to: blockRows)), 1)
}

#if MATRIX_TILES
  /// Whether a matrix unit multiplies whole tiles.
  let hasMatrixTiles = true
  /// The number of rows that are multiplied at once.
  let blockRows = MatrixTiles.blockRows
  /// The minimum number of rows of a row slice that fill every kind of tile.
  let minimumSliceRows = blockRows
#else
  /// Whether a matrix unit multiplies whole tiles.
  let hasMatrixTiles = false
  /// The number of rows that are multiplied at once.
  let blockRows = tileRows
  /// The minimum number of rows of a row slice that fill every kind of tile.
  let minimumSliceRows = larger(tileRows, SumVector.scalarCount)
#endif

/// Returns the size of the scratch memory for im2col.
func scratchByteCountOfRows(_ geometry: PatchGeometry, runs: Int = 1) -> Int {
  // If lanes share columns, rows may be padded further.
  let rowBytes = im2colRowBytes(geometry, runs: runs, split: 4)
  let blockBytes = sliceRowCount(rowBytes: im2colRowBytes(geometry, runs: runs)) * (rowBytes + 8)
  return roundUp(tileBytes + blockBytes + patchSlack, to: 64)
}

/// Returns the size of the scratch memory for windows in padded rows, or for im2col as the
/// fallback.
func scratchByteCountOfPaddedRows(_ geometry: PatchGeometry) -> Int {
  let format = QuantizedFormat(isSigned: true, zeroPoint: 0)
  let paddedRows = PaddedRows(geometry, as: QuantizedElements(format))
  return larger(
    roundUp(tileBytes + paddedRows.byteCount + patchSlack, to: 64),
    scratchByteCountOfRows(geometry, runs: geometry.runsInPaddedRows))
}

extension PatchGeometry {
  /// The contiguous runs of a window in padded rows: one if every window row has whole steps of
  /// elements.
  @inline(__always)
  var runsInPaddedRows: Int { windowWidth &* channels % depthPerBlock == 0 ? 1 : windowHeight }
}

/// Whether sums stay in registers until they are results.
///
/// Unusual scales, columns that share lanes, and blocks of fewer rows than a tile go through memory
/// instead (`SumTile`).
@inline(__always)
private func keepsSumsInRegisters(_ arguments: GEMMBlock<QuantizedEpilogue>, _ header: PackedHeader)
  -> Bool
{
  let hasPanelGroupEpilogue =
    header.scaleKind == ScaleKind.bounded || header.scaleKind == ScaleKind.real
    || header.scaleKind == ScaleKind.single || arguments.epilogue.hybrid != nil
  // Tiles store the sums themselves, however few rows there are.
  if hasMatrixTiles { return true }
  return hasPanelGroupEpilogue && header.depthSplit == 1
    && arguments.rows.upperBound &- arguments.rows.lowerBound >= tileRows
}

/// Multiplies windows that are read from padded input rows (implicit GEMM).
@inline(never)
func multiplyPaddedRows(_ arguments: GEMMBlock<QuantizedEpilogue>) {
  guard keepsSumsInRegisters(arguments, PackedHeader(arguments.packed)) else {
    return multiplyRows(arguments, .im2col)
  }
  let paddedRows = PaddedRows(
    arguments.patches, as: QuantizedElements(arguments.epilogue.inputFormat))
  let corrections = arguments.scratch + tileBytes
  let (start, end) = (arguments.rows.lowerBound, arguments.rows.upperBound)
  let minimumRows = smaller(end &- start, minimumSliceRows)
  var row = start
  while row < end {
    // If the last slice were too small, it starts earlier and computes rows of the one before
    // again.
    let first = smaller(row, end &- minimumRows)
    let rows = paddedRows.copy(
      Range(uncheckedBounds: (first, end)), from: arguments.input,
      to: corrections + paddedRows.correctionBytes)
    multiplySlice(arguments, rows, from: first, corrections: corrections)
    row = first &+ rows.count
  }
}

/// The source of the rows of a multiplication.
enum RowSource {
  /// Copied by im2col, as elements that `dot` takes.
  case im2col
  /// Read in place, from the input.
  case inPlace
  /// Read in place, with the sign bits of the bytes toggled after loading.
  case signToggled
}

/// Multiplies the rows of a block, slice by slice.
@inline(never)
func multiplyRows(_ arguments: GEMMBlock<QuantizedEpilogue>, _ source: RowSource) {
  let geometry = arguments.patches
  let header = PackedHeader(arguments.packed)
  let keepsSumsInRegisters = keepsSumsInRegisters(arguments, header)
  let (runs, split) = (Int(header.runs), Int(header.depthSplit))
  let rowBytes = im2colRowBytes(geometry, runs: runs, split: split)
  let elements = QuantizedElements(arguments.epilogue.inputFormat)
  let rowCount = arguments.rows.upperBound &- arguments.rows.lowerBound
  // Tiles for so few rows cannot toggle sign bits.
  let isSignToggled =
    source == .signToggled && keepsSumsInRegisters
    && rowCount >= QuantizedPanelGroup.signToggledRowCount
  let isInPlace = source == .inPlace || isSignToggled
  // Rows in place need scratch only for their offsets, so that their slices may be longer.
  let maximumRows = larger(
    sliceRowCount(rowBytes: im2colRowBytes(geometry, runs: runs)),
    isSignToggled ? QuantizedPanelGroup.signToggledRowCount(rowBytes: rowBytes) : 0)
  let minimumRows = smaller(
    rowCount,
    isSignToggled
      ? QuantizedPanelGroup.signToggledRowCount : keepsSumsInRegisters ? minimumSliceRows : 1
  )
  let block = larger(minimumRows, balancedSliceRows(of: arguments, maximum: maximumRows))
  let corrections = arguments.scratch + tileBytes
  let offsets = (corrections + block &* 4).assumingMemoryBound(to: Int32.self)
  let patches = corrections + block &* 8
  let stride = isInPlace ? geometry.pixelStride : rowBytes
  for row in 0..<smaller(block, rowCount) {
    offsets[row] = Int32(truncatingIfNeeded: row &* stride)
  }
  var rows = IndirectRows(
    start: UnsafeRawPointer(patches), offsets: UnsafePointer(offsets), count: 0, runs: runs,
    runStride: quantizedSteps(geometry.patchDepth / runs) &* 4,
    runBytes: geometry.patchDepth / runs &* packedElementBytes)
  rows.isSignToggled = isSignToggled
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    let first = smaller(row, arguments.rows.upperBound &- minimumRows)
    rows.count = smaller(block, arguments.rows.upperBound &- first)
    let range = Range(uncheckedBounds: (first, first &+ rows.count))
    if isInPlace {
      rows.start = arguments.input + first &* geometry.pixelStride
      #if MATRIX_TILES
        rows.end = rows.start + (rows.count &- 1) &* stride + geometry.channels
      #endif
    } else {
      im2col(
        range, of: geometry, runs: runs, from: arguments.input, to: patches, rowStride: rowBytes,
        as: elements)
    }
    if keepsSumsInRegisters {
      multiplySlice(arguments, rows, from: first, corrections: corrections)
    } else {
      multiplyTiles(arguments, rows, from: first, stride: stride, corrections: corrections)
    }
    row = first &+ rows.count
  }
}

/// Returns the size of the scratch memory for up to `maximumGEMVRows` rows.
func scratchByteCountOfGEMV(_ geometry: PatchGeometry) -> Int {
  roundUp(tileBytes + 64 + maximumGEMVRows * im2colRowBytes(geometry) + patchSlack, to: 64)
}

/// Multiplies up to `maximumGEMVRows` pixels by all panels (GEMV), one panel group after the other.
@inline(never)
func multiplyGEMV(_ arguments: GEMMBlock<QuantizedEpilogue>) {
  let geometry = arguments.patches
  let header = PackedHeader(arguments.packed)
  let rows = rowsOfPixels(arguments)
  let corrections = arguments.scratch + tileBytes
  let isCorrected = header.rowCorrection != 0
  if isCorrected { storeCorrections(header.rowCorrection, of: rows, in: corrections) }
  // Without separate row weights, the weights follow their heads inside the panels.
  let panelStride =
    header.rowWeights == nil ? quantizedPanelStride(geometry.patchDepth, runs: 1) : scaleBytes
  let panels = arguments.packed + PackedHeader.byteCount
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  let lanes = SumVector.scalarCount
  var column = arguments.columns.lowerBound
  while column < arguments.columns.upperBound {
    let panel = column / lanes
    // A group ends where the interleaved weights do, whatever column the block begins at.
    let columns = smaller(
      arguments.columns.upperBound &- column, (rowVectors &- panel % rowVectors) &* lanes)
    let offset = arguments.rows.lowerBound &* arguments.outputStride &+ column
    let panelGroup = GEMVPanelGroup(
      rows: rows, panel: panels + panel &* panelStride, panelStride: panelStride,
      weights: GEMVPanelGroupWeights(
        header, panels: panels, panelStride: panelStride, panel: panel,
        depth: geometry.patchDepth),
      corrections: isCorrected ? UnsafeRawPointer(corrections) : nil,
      output: arguments.output + offset &* outputBytes, columns: columns,
      outputStride: arguments.outputStride &* outputBytes, scratch: arguments.scratch)
    if let hybrid = arguments.epilogue.hybrid {
      multiplyRows(panelGroup, hybrid.advanced(by: arguments.rows.lowerBound))
    } else {
      multiplyRows(panelGroup, arguments.epilogue.range, scaleKind: header.scaleKind)
    }
    column &+= columns
  }
}

/// Returns the pixels of a block, in place or, if the kernel needs other elements, as copies.
private func rowsOfPixels(_ arguments: GEMMBlock<QuantizedEpilogue>) -> IndirectRows {
  let geometry = arguments.patches
  let elements = QuantizedElements(arguments.epilogue.inputFormat)
  let count = arguments.rows.upperBound &- arguments.rows.lowerBound
  // Scratch: the corrections of the rows, their offsets, the copies.
  let scratch = arguments.scratch + tileBytes
  let offsets = (scratch + maximumGEMVRows &* 4).assumingMemoryBound(to: Int32.self)
  let copies = scratch + 64
  let input = arguments.input + arguments.rows.lowerBound &* geometry.pixelStride
  let isCopied = !elements.needNoConversion || geometry.channels % depthPerBlock != 0
  let stride = isCopied ? im2colRowBytes(geometry) : geometry.pixelStride
  for row in 0..<count {
    offsets[row] = Int32(truncatingIfNeeded: row &* stride)
    if isCopied {
      elements.copy(
        input + row &* geometry.pixelStride, to: copies + row &* stride, count: geometry.channels)
    }
  }
  return IndirectRows(
    start: isCopied ? UnsafeRawPointer(copies) : input, offsets: UnsafePointer(offsets),
    count: count, runs: 1, runStride: 0, runBytes: geometry.channels &* packedElementBytes)
}

/// Copies patches by im2col, with every run padded to whole steps.
private func im2col(
  _ rows: Range<Int>, of geometry: PatchGeometry, runs: Int, from input: UnsafeRawPointer,
  to target: UnsafeMutableRawPointer, rowStride: Int, as elements: QuantizedElements
) {
  if runs == 1 {
    im2col(rows, of: geometry, from: input, to: target, rowStride: rowStride, as: elements)
    return
  }
  var windowRow = geometry
  windowRow.windowHeight = 1
  var row = target
  for index in rows {
    for run in 0..<runs {
      windowRow.paddingTop = geometry.paddingTop &- run &* geometry.dilationHeight
      im2col(
        Range(uncheckedBounds: (index, index &+ 1)), of: windowRow, from: input,
        to: row + run &* quantizedSteps(windowRow.patchDepth) &* 4, rowStride: rowStride,
        as: elements)
    }
    row += rowStride
  }
}

/// Stores the correction of every row: the sum of its elements times `factor`, the negated zero
/// point of the packed weights.
private func storeCorrections(
  _ factor: Int32, of rows: IndirectRows, in corrections: UnsafeMutableRawPointer
) {
  for row in 0..<rows.count {
    var run = rows.start + Int(rows.offsets[row])
    var sum: Int32 = 0
    for _ in 0..<rows.runs {
      sum &+= sumOfElements(run, byteCount: rows.runBytes)
      run += rows.runStride
    }
    store(factor &* sum, to: corrections + row &* 4)
  }
}

/// Multiplies a row slice by all panels, with sums that stay in registers.
@inline(__always)
private func multiplySlice(
  _ arguments: GEMMBlock<QuantizedEpilogue>, _ rows: IndirectRows, from firstRow: Int,
  corrections: UnsafeMutableRawPointer
) {
  let rowCorrection = PackedHeader(arguments.packed).rowCorrection
  if rowCorrection != 0 { storeCorrections(rowCorrection, of: rows, in: corrections) }
  let corrections = rowCorrection != 0 ? UnsafeRawPointer(corrections) : nil
  #if MATRIX_TILES
    multiplyMatrixTiles(arguments, rows, from: firstRow, corrections: corrections)
  #else
    multiplyPanelGroups(arguments, rows, from: firstRow, corrections: corrections)
  #endif
}

/// Multiplies a row slice by all panels, one panel group after the other.
private func multiplyPanelGroups(
  _ arguments: GEMMBlock<QuantizedEpilogue>, _ rows: IndirectRows, from firstRow: Int,
  corrections: UnsafeRawPointer?
) {
  let lanes = SumVector.scalarCount
  let header = PackedHeader(arguments.packed)
  let range = arguments.epilogue.range
  let panelStride = quantizedPanelStride(arguments.patches.patchDepth, runs: Int(header.runs))
  var column = arguments.columns.lowerBound
  let hybrid = arguments.epilogue.hybrid
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  while column < arguments.columns.upperBound {
    let left = arguments.columns.upperBound &- column
    let columns =
      header.scaleKind == ScaleKind.bounded
      ? QuantizedPanelGroup.width(left, depth: arguments.patches.patchDepth)
      : smaller(left, tileVectors &* lanes)
    let panelGroup = QuantizedPanelGroup(
      rows: rows,
      panel: arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panelStride),
      panelStride: panelStride, corrections: corrections,
      output: arguments.output + (firstRow &* arguments.outputStride &+ column) &* outputBytes,
      columns: columns, outputStride: arguments.outputStride &* outputBytes,
      scratch: arguments.scratch)
    #if TRANSPOSED_OPERANDS
      if rows.isSignToggled { SignToggledRows.prepare(panelGroup) }
    #endif
    if let hybrid {
      multiplyPanelGroup(panelGroup, hybrid.advanced(by: firstRow))
    } else if header.scaleKind == ScaleKind.real {
      multiplyPanelGroup(
        panelGroup, range, RealScale.self, upToVectors: (columns &+ lanes &- 1) / lanes)
    } else if header.scaleKind == ScaleKind.single {
      multiplyPanelGroup(
        panelGroup, range, SingleScale.self, upToVectors: (columns &+ lanes &- 1) / lanes)
    } else if range.minimum >= range.zeroPoint {
      multiply(panelGroup, range, RectifiedScale.self)
    } else {
      multiply(panelGroup, range, BoundedScale.self)
    }
    column &+= columns
  }
}

@inline(__always)
private func multiply<Scale: VectorScale>(
  _ panelGroup: QuantizedPanelGroup, _ range: QuantizedRange, _ scale: Scale.Type
) {
  #if TRANSPOSED_OPERANDS
    if suitsTransposedOperands(panelGroup.columns, rows: panelGroup.rows.count) {
      return multiplyTransposed(panelGroup, range, scale)
    }
  #endif
  let lanes = SumVector.scalarCount
  multiplyPanelGroup(
    panelGroup, range, scale, upToVectors: (panelGroup.columns &+ lanes &- 1) / lanes)
}

/// Multiplies rows `stride` bytes apart by all panels, tile by tile, for any kind of result.
private func multiplyTiles(
  _ arguments: GEMMBlock<QuantizedEpilogue>, _ block: IndirectRows, from firstRow: Int, stride: Int,
  corrections: UnsafeMutableRawPointer
) {
  let lanes = SumVector.scalarCount
  let header = PackedHeader(arguments.packed)
  let depth = arguments.patches.patchDepth
  let panelStride = quantizedPanelStride(depth, runs: Int(header.runs))
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  let split = Int(header.depthSplit)
  let steps = block.runs &* block.runStride / 4
  let isCorrected = header.rowCorrection != 0
  if isCorrected {
    storeCorrections(header.rowCorrection, of: block, in: corrections)
  }
  forEachTile(rows: block.count, columns: arguments.columns) { row, rows, column, columns in
    let panel = arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panelStride)
    let tile = TileOperands(
      rows: block.start + row &* stride, rowStride: stride, panel: panel, panelStride: panelStride,
      weightsOffset: scaleBytes, steps: (steps &+ split &- 1) / split,
      sums: arguments.scratch)
    if split == 1 {
      multiply(
        tile, QuantizedArithmetic<SingleGroup>.self, upToRows: rows,
        upToVectors: (columns &+ lanes &- 1) / lanes)
    } else {
      multiplySplit(tile, rows: rows, split: split)
    }
    let outputRow = firstRow &+ row
    let sums = SumTile(
      sums: tile.sums, sumsStride: tileVectors &* sumVectorBytes, rows: rows, columns: columns,
      corrections: isCorrected ? UnsafeRawPointer(corrections + row &* 4) : nil,
      scales: panel + sumVectorBytes, scalesStride: panelStride,
      output: arguments.output + (outputRow &* arguments.outputStride &+ column) &* outputBytes,
      outputStride: arguments.outputStride &* outputBytes)
    storeTile(
      sums, kind: header.scaleKind, range: arguments.epilogue.range,
      hybrid: arguments.epilogue.hybrid?.advanced(by: outputRow))
  }
}

/// Computes a tile in which several lanes share each column.
private func multiplySplit(_ tile: TileOperands, rows: Int, split: Int) {
  if split == 2 {
    multiplyPanel(tile, QuantizedArithmetic<PairOfGroups>.self, upToRows: rows)
  } else {
    multiplyPanel(tile, QuantizedArithmetic<FourGroups>.self, upToRows: rows)
  }
  var sums = tile.sums
  for _ in 0..<rows {
    store(sumLanesOfColumns(loadSums(sums), split: split), to: sums)
    sums += tileVectors &* sumVectorBytes
  }
}
