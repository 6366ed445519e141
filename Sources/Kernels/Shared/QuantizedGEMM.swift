import OcellusKernelABI

var quantizedGEMM: QuantizedGEMM {
  QuantizedGEMM(
    panelColumns: SumVector.scalarCount, tileRows: tileRows,
    packedByteCount: packedQuantizedByteCount, pack: packQuantized,
    scratchByteCount: quantizedScratchByteCount, run: multiplyQuantized)
}

private enum QuantizedArithmetic<Group: RowGroup>: TileArithmetic {
  @inline(__always)
  static var rowStep: Int { 4 &* Group.lanes }

  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector { Group.broadcast(row) }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> SumVector { loadSums(address) }

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

// Scratch: the sums of a tile, the corrections of the rows of a block, the rows themselves. What
// fills up a row to a whole step is never written: its weights are zero.

private let tileBytes = tileRows * tileVectors * MemoryLayout<SumVector>.size

@inline(__always)
private func gatheredRowBytes(_ geometry: PatchGeometry, split: Int) -> Int {
  roundUp(quantizedSteps(geometry.patchDepth), to: split) &* 4
}

private func quantizedScratchByteCount(_ geometry: PatchGeometry) -> Int {
  // How many lanes share a column is not known here.
  var blockBytes = 0
  var split = 1
  while split <= 4 {
    let rowBytes = gatheredRowBytes(geometry, split: split)
    blockBytes = larger(blockBytes, blockRows(rowBytes: rowBytes) * (rowBytes + 4))
    split &*= 2
  }
  return roundUp(tileBytes + blockBytes + patchSlack, to: 64)
}

private func multiplyQuantized(_ arguments: QuantizedGEMMArguments) {
  let geometry = arguments.patches
  let split = Int(PackedHeader(arguments.packed).depthSplit)
  let rowBytes = gatheredRowBytes(geometry, split: split)
  let block = blockRows(rowBytes: rowBytes)
  let corrections = arguments.scratch + tileBytes
  let patches = corrections + block &* 4
  let elements = QuantizedElements(arguments.inputFormat)
  let isInPlace =
    geometry.isPointwise && elements.areBytesOfInput && geometry.channels == rowBytes
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    let rows = Range(
      uncheckedBounds: (row, smaller(row &+ block, arguments.rows.upperBound)))
    if isInPlace {
      multiplyBlock(
        arguments, rows, at: arguments.input + row &* geometry.pixelStride,
        stride: geometry.pixelStride, corrections: corrections)
    } else {
      gather(
        rows, of: geometry, from: arguments.input, to: patches, rowStride: rowBytes, as: elements)
      multiplyBlock(
        arguments, rows, at: UnsafeRawPointer(patches), stride: rowBytes, corrections: corrections)
    }
    row &+= block
  }
}

/// Notes what zero points of the weights make it necessary to add to the sums of every row.
private func noteCorrections(
  _ factor: Int32, of rows: UnsafeRawPointer, stride: Int, count: Int, depth: Int,
  in corrections: UnsafeMutableRawPointer
) {
  #if VNNI
    for row in 0..<count {
      let sum = sumOfBytes(rows + row &* stride, count: depth)
      store(factor &* sum, to: corrections + row &* 4)
    }
  #endif
}

private func multiplyBlock(
  _ arguments: QuantizedGEMMArguments, _ block: Range<Int>, at first: UnsafeRawPointer,
  stride: Int, corrections: UnsafeMutableRawPointer
) {
  let lanes = SumVector.scalarCount
  let depth = arguments.patches.patchDepth
  let header = PackedHeader(arguments.packed)
  let panelStride = quantizedPanelStride(depth)
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  let split = Int(header.depthSplit)
  let rows = block.upperBound &- block.lowerBound
  let isCorrected = header.rowCorrection != 0
  if isCorrected {
    noteCorrections(
      header.rowCorrection, of: first, stride: stride, count: rows,
      depth: depth, in: corrections)
  }
  forEachTile(rows: rows, columns: arguments.columns) { row, rows, column, columns in
    let panel = arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panelStride)
    let tile = Tile(
      rows: first + row &* stride, rowStride: stride, panel: panel, panelStride: panelStride,
      weightsOffset: scaleBytes, steps: (quantizedSteps(depth) &+ split &- 1) / split,
      sums: arguments.scratch)
    if split == 1 {
      multiply(
        tile, QuantizedArithmetic<SingleGroup>.self, upToRows: rows,
        upToVectors: (columns &+ lanes &- 1) / lanes)
    } else {
      multiplySplit(tile, rows: rows, split: split)
    }
    let outputRow = block.lowerBound &+ row
    let sums = SumTile(
      sums: tile.sums, sumsStride: tileVectors &* sumVectorBytes, rows: rows, columns: columns,
      corrections: isCorrected ? UnsafeRawPointer(corrections + row &* 4) : nil,
      scales: panel + sumVectorBytes, scalesStride: panelStride,
      output: arguments.output + (outputRow &* arguments.outputStride &+ column) &* outputBytes,
      outputStride: arguments.outputStride &* outputBytes)
    storeTile(
      sums, kind: header.scaleKind, range: arguments.range,
      hybrid: arguments.hybrid?.advanced(by: outputRow))
  }
}

/// Computes a tile whose columns several lanes share.
private func multiplySplit(_ tile: Tile, rows: Int, split: Int) {
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
