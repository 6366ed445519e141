import OcellusKernelABI

enum QuantizedArithmetic<Group: RowGroup>: TileArithmetic {
  @inline(__always)
  static var rowStep: Int { 4 &* Group.lanes }

  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector { arranged(Group.broadcast(row)) }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> SumVector { loadSums(address) }
}

/// Sums of integers, which differ only in how their operands are read.
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

// Scratch: the sums of a tile, the corrections of the rows of a block, and then either their lines
// (see `PaddedLines`) or their places and the gathered rows. What fills up a row to a whole step is
// never written: its weights are zero.

private let tileBytes = tileRows * tileVectors * MemoryLayout<SumVector>.size

/// The bytes of a gathered row, in whole steps, of which `split` are taken at once.
@inline(__always)
func gatheredRowBytes(_ geometry: PatchGeometry, runs: Int = 1, split: Int = 1) -> Int {
  roundUp(runs &* quantizedSteps(geometry.patchDepth / runs), to: split) &* 4
}

/// The rows that are gathered at once: as many as every block should have, however long they are.
@inline(__always)
private func gatheredRows(rowBytes: Int) -> Int {
  larger(blockRows(rowBytes: rowBytes), fewestRows)
}

/// As many rows as blocks have that are about as long: the last, if it had few, would have those of the one before
/// again.
///
/// Tiles of few columns have as many rows as there are lanes, which the longest blocks are made for.
@inline(__always)
private func rowsOfBlocks(of product: ProductBlock<QuantizedFinish>, most: Int) -> Int {
  let columns = product.columns.upperBound &- product.columns.lowerBound
  guard columns > SumVector.scalarCount / 2 else { return most }
  let rows = product.rows.upperBound &- product.rows.lowerBound
  let count = larger((rows &+ most &- 1) / most, 1)
  return larger(smaller(most, roundUp((rows &+ count &- 1) / count, to: tileRows)), 1)
}

/// The rows that every block should have, so that none is multiplied slowly for having fewer.
let fewestRows = larger(tileRows, SumVector.scalarCount)

/// The scratch memory of blocks of gathered rows.
func scratchByteCountOfRows(_ geometry: PatchGeometry, runs: Int = 1) -> Int {
  // Rows whose columns share lanes may be longer.
  let rowBytes = gatheredRowBytes(geometry, runs: runs, split: 4)
  let blockBytes = gatheredRows(rowBytes: gatheredRowBytes(geometry, runs: runs)) * (rowBytes + 8)
  return roundUp(tileBytes + blockBytes + patchSlack, to: 64)
}

/// The scratch memory of windows that lie in lines, some of which may be gathered.
func scratchByteCountOfLines(_ geometry: PatchGeometry) -> Int {
  let format = QuantizedFormat(isSigned: true, zeroPoint: 0)
  let lines = PaddedLines(geometry, as: QuantizedElements(format))
  return larger(
    roundUp(tileBytes + lines.byteCount + patchSlack, to: 64),
    scratchByteCountOfRows(geometry, runs: geometry.runsInLines))
}

extension PatchGeometry {
  /// The runs that windows in lines consist of: one where no line has to be filled up to whole steps.
  @inline(__always)
  var runsInLines: Int { windowWidth &* channels % depthPerBlock == 0 ? 1 : windowHeight }
}

/// Whether sums of a block stay in registers until they are results: those of unusual scales do not, and tiles need
/// their rows.
@inline(__always)
private func usesStrips(_ arguments: ProductBlock<QuantizedFinish>, _ header: PackedHeader) -> Bool
{
  let hasStrips =
    header.scaleKind == ScaleKind.bounded || header.scaleKind == ScaleKind.real
    || arguments.finish.hybrid != nil
  return hasStrips && header.depthSplit == 1
    && arguments.rows.upperBound &- arguments.rows.lowerBound >= tileRows
}

/// Multiplies windows where they lie, line by line.
@inline(never)
func multiplyLines(_ arguments: ProductBlock<QuantizedFinish>) {
  guard usesStrips(arguments, PackedHeader(arguments.packed)) else {
    return multiplyRows(arguments, .gathered)
  }
  let lines = PaddedLines(
    arguments.patches, as: QuantizedElements(arguments.finish.inputFormat))
  let corrections = arguments.scratch + tileBytes
  let (start, end) = (arguments.rows.lowerBound, arguments.rows.upperBound)
  let least = smaller(end &- start, fewestRows)
  var row = start
  while row < end {
    // The last block has rows of the one before if it were too small.
    let first = smaller(row, end &- least)
    let rows = lines.copy(
      Range(uncheckedBounds: (first, end)), from: arguments.input,
      to: corrections + lines.correctionBytes)
    multiplyStrips(arguments, rows, from: first, corrections: corrections)
    row = first &+ rows.count
  }
}

/// Where rows of bytes are while they are multiplied.
enum RowSource {
  /// Copied together, in the form that products take.
  case gathered
  /// Where they lie in the input.
  case inPlace
  /// There too, with their highest bits flipped as they are read.
  case flipped
}

/// Multiplies a block of rows after the other.
@inline(never)
func multiplyRows(_ arguments: ProductBlock<QuantizedFinish>, _ source: RowSource) {
  let geometry = arguments.patches
  let header = PackedHeader(arguments.packed)
  let usesStrips = usesStrips(arguments, header)
  let (runs, split) = (Int(header.runs), Int(header.depthSplit))
  let rowBytes = gatheredRowBytes(geometry, runs: runs, split: split)
  let elements = QuantizedElements(arguments.finish.inputFormat)
  let rowCount = arguments.rows.upperBound &- arguments.rows.lowerBound
  // Tiles of so few rows do not flip.
  let isFlipped = source == .flipped && usesStrips && rowCount >= QuantizedStrip.tallRows
  let isInPlace = source == .inPlace || isFlipped
  // Of rows that stay where they are only places are noted, for which there is room.
  let most = larger(
    gatheredRows(rowBytes: gatheredRowBytes(geometry, runs: runs)),
    isFlipped ? QuantizedStrip.tallRows(rowBytes: rowBytes) : 0)
  let least = smaller(
    rowCount, isFlipped ? QuantizedStrip.tallRows : usesStrips ? fewestRows : 1)
  let block = larger(least, rowsOfBlocks(of: arguments, most: most))
  let corrections = arguments.scratch + tileBytes
  let places = (corrections + block &* 4).assumingMemoryBound(to: Int32.self)
  let patches = corrections + block &* 8
  let stride = isInPlace ? geometry.pixelStride : rowBytes
  for row in 0..<smaller(block, rowCount) {
    places[row] = Int32(truncatingIfNeeded: row &* stride)
  }
  var rows = StripRows(
    start: UnsafeRawPointer(patches), offsets: UnsafePointer(places), count: 0, runs: runs,
    runStride: quantizedSteps(geometry.patchDepth / runs) &* 4,
    runBytes: geometry.patchDepth / runs &* packedElementBytes)
  rows.isFlipped = isFlipped
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    let first = smaller(row, arguments.rows.upperBound &- least)
    rows.count = smaller(block, arguments.rows.upperBound &- first)
    let range = Range(uncheckedBounds: (first, first &+ rows.count))
    if isInPlace {
      rows.start = arguments.input + first &* geometry.pixelStride
    } else {
      gather(
        range, of: geometry, runs: runs, from: arguments.input, to: patches, rowStride: rowBytes,
        as: elements)
    }
    if usesStrips {
      multiplyStrips(arguments, rows, from: first, corrections: corrections)
    } else {
      multiplyTiles(arguments, rows, from: first, stride: stride, corrections: corrections)
    }
    row = first &+ rows.count
  }
}

/// The scratch memory of a row or few.
func scratchByteCountOfFewRows(_ geometry: PatchGeometry) -> Int {
  roundUp(tileBytes + 64 + fewRows * gatheredRowBytes(geometry) + patchSlack, to: 64)
}

/// Multiplies up to `fewRows` pixels with all panels, strip by strip.
@inline(never)
func multiplyFewRows(_ arguments: ProductBlock<QuantizedFinish>) {
  let geometry = arguments.patches
  let header = PackedHeader(arguments.packed)
  let rows = rowsOfPixels(arguments)
  let corrections = arguments.scratch + tileBytes
  let isCorrected = header.rowCorrection != 0
  if isCorrected { noteCorrections(header.rowCorrection, of: rows, in: corrections) }
  // Weights for any rows lie in the panels.
  let panelStride =
    header.rowWeights == nil ? quantizedPanelStride(geometry.patchDepth, runs: 1) : scaleBytes
  let panels = arguments.packed + PackedHeader.byteCount
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  let lanes = SumVector.scalarCount
  var column = arguments.columns.lowerBound
  while column < arguments.columns.upperBound {
    let panel = column / lanes
    // Up to where the weights lie side by side, wherever the block begins.
    let columns = smaller(
      arguments.columns.upperBound &- column, (rowVectors &- panel % rowVectors) &* lanes)
    let place = arguments.rows.lowerBound &* arguments.outputStride &+ column
    let strip = RowStrip(
      rows: rows, panel: panels + panel &* panelStride, panelStride: panelStride,
      weights: RowStripWeights(
        header, panels: panels, panelStride: panelStride, panel: panel,
        depth: geometry.patchDepth),
      corrections: isCorrected ? UnsafeRawPointer(corrections) : nil,
      output: arguments.output + place &* outputBytes, columns: columns,
      outputStride: arguments.outputStride &* outputBytes, scratch: arguments.scratch)
    if let hybrid = arguments.finish.hybrid {
      multiplyRows(strip, hybrid.advanced(by: arguments.rows.lowerBound))
    } else {
      multiplyRows(strip, arguments.finish.range, scaleKind: header.scaleKind)
    }
    column &+= columns
  }
}

/// The pixels of a block where they lie or, if kernels take other elements, their copies.
private func rowsOfPixels(_ arguments: ProductBlock<QuantizedFinish>) -> StripRows {
  let geometry = arguments.patches
  let elements = QuantizedElements(arguments.finish.inputFormat)
  let count = arguments.rows.upperBound &- arguments.rows.lowerBound
  // Scratch: the corrections of the rows, their places, the copies.
  let scratch = arguments.scratch + tileBytes
  let places = (scratch + fewRows &* 4).assumingMemoryBound(to: Int32.self)
  let copies = scratch + 64
  let input = arguments.input + arguments.rows.lowerBound &* geometry.pixelStride
  let isCopied = !elements.areBytesOfInput || geometry.channels % depthPerBlock != 0
  let stride = isCopied ? gatheredRowBytes(geometry) : geometry.pixelStride
  for row in 0..<count {
    places[row] = Int32(truncatingIfNeeded: row &* stride)
    if isCopied {
      elements.copy(
        input + row &* geometry.pixelStride, to: copies + row &* stride, count: geometry.channels)
    }
  }
  return StripRows(
    start: isCopied ? UnsafeRawPointer(copies) : input, offsets: UnsafePointer(places),
    count: count, runs: 1, runStride: 0, runBytes: geometry.channels &* packedElementBytes)
}

/// Copies patches whose runs are filled up to whole steps.
private func gather(
  _ rows: Range<Int>, of geometry: PatchGeometry, runs: Int, from input: UnsafeRawPointer,
  to target: UnsafeMutableRawPointer, rowStride: Int, as elements: QuantizedElements
) {
  if runs == 1 {
    gather(rows, of: geometry, from: input, to: target, rowStride: rowStride, as: elements)
    return
  }
  var line = geometry
  line.windowHeight = 1
  var row = target
  for index in rows {
    for run in 0..<runs {
      line.paddingTop = geometry.paddingTop &- run &* geometry.dilationHeight
      gather(
        Range(uncheckedBounds: (index, index &+ 1)), of: line, from: input,
        to: row + run &* quantizedSteps(line.patchDepth) &* 4, rowStride: rowStride, as: elements)
    }
    row += rowStride
  }
}

/// Notes what zero points of the weights make it necessary to add to the sums of every row.
private func noteCorrections(
  _ factor: Int32, of rows: StripRows, in corrections: UnsafeMutableRawPointer
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

/// Multiplies rows with all panels, strip by strip.
private func multiplyStrips(
  _ arguments: ProductBlock<QuantizedFinish>, _ rows: StripRows, from firstRow: Int,
  corrections: UnsafeMutableRawPointer
) {
  let lanes = SumVector.scalarCount
  let header = PackedHeader(arguments.packed)
  let range = arguments.finish.range
  let isCorrected = header.rowCorrection != 0
  if isCorrected {
    noteCorrections(header.rowCorrection, of: rows, in: corrections)
  }
  let panelStride = quantizedPanelStride(arguments.patches.patchDepth, runs: Int(header.runs))
  var column = arguments.columns.lowerBound
  let hybrid = arguments.finish.hybrid
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  while column < arguments.columns.upperBound {
    let left = arguments.columns.upperBound &- column
    let columns =
      header.scaleKind == ScaleKind.bounded
      ? QuantizedStrip.width(left, depth: arguments.patches.patchDepth)
      : smaller(left, tileVectors &* lanes)
    let strip = QuantizedStrip(
      rows: rows,
      panel: arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panelStride),
      panelStride: panelStride, corrections: isCorrected ? UnsafeRawPointer(corrections) : nil,
      output: arguments.output + (firstRow &* arguments.outputStride &+ column) &* outputBytes,
      columns: columns, outputStride: arguments.outputStride &* outputBytes,
      scratch: arguments.scratch)
    #if PIXEL_LANES
      if rows.isFlipped { FlippedRows.prepare(strip) }
    #endif
    if let hybrid {
      multiplyStrip(strip, hybrid.advanced(by: firstRow))
    } else if header.scaleKind == ScaleKind.real {
      multiplyStrip(
        strip, range, RealScale.self, upToVectors: (columns &+ lanes &- 1) / lanes)
    } else if range.minimum >= range.zeroPoint {
      multiply(strip, range, RectifiedScale.self)
    } else {
      multiply(strip, range, BoundedScale.self)
    }
    column &+= columns
  }
}

@inline(__always)
private func multiply<Scale: VectorScale>(
  _ strip: QuantizedStrip, _ range: QuantizedRange, _ scale: Scale.Type
) {
  #if PIXEL_LANES
    if areFewColumns(strip.columns, rows: strip.rows.count) {
      return multiplyPixels(strip, range, scale)
    }
  #endif
  let lanes = SumVector.scalarCount
  multiplyStrip(strip, range, scale, upToVectors: (strip.columns &+ lanes &- 1) / lanes)
}

/// Multiplies rows `stride` bytes apart with all panels, tile by tile, for any kind of result.
private func multiplyTiles(
  _ arguments: ProductBlock<QuantizedFinish>, _ block: StripRows, from firstRow: Int, stride: Int,
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
    noteCorrections(header.rowCorrection, of: block, in: corrections)
  }
  forEachTile(rows: block.count, columns: arguments.columns) { row, rows, column, columns in
    let panel = arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panelStride)
    let tile = RegisterTile(
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
      sums, kind: header.scaleKind, range: arguments.finish.range,
      hybrid: arguments.finish.hybrid?.advanced(by: outputRow))
  }
}

/// Computes a tile whose columns several lanes share.
private func multiplySplit(_ tile: RegisterTile, rows: Int, split: Int) {
  if split == 2 {
    multiplyPanel(tile, QuantizedArithmetic<PairOfGroups>.self, upToRows: rows)
  } else {
    multiplyPanel(tile, QuantizedArithmetic<FourGroups>.self, upToRows: rows)
  }
  var sums = tile.sums
  for _ in 0..<rows {
    store(addSharedLanes(loadSums(sums), split: split), to: sums)
    sums += tileVectors &* sumVectorBytes
  }
}
