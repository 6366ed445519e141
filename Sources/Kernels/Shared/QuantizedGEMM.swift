import OcellusKernelABI

var quantizedGEMM: QuantizedGEMM {
  QuantizedGEMM(
    panelColumns: SumVector.scalarCount, tileRows: tileRows,
    packedByteCount: packedQuantizedByteCount, pack: packQuantized,
    scratchByteCount: quantizedScratchByteCount, run: multiplyQuantized)
}

private enum QuantizedArithmetic: TileArithmetic {
  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
    SumVector(repeating: loadInt32(row))
  }

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

// Scratch: the sums of a tile, the corrections of the rows of a block, the rows themselves.

private let tileBytes = tileRows * tileVectors * MemoryLayout<SumVector>.size

@inline(__always)
private func gatheredRowBytes(_ geometry: PatchGeometry) -> Int {
  quantizedSteps(geometry.patchDepth) &* 4
}

private func quantizedScratchByteCount(_ geometry: PatchGeometry) -> Int {
  let rowBytes = gatheredRowBytes(geometry)
  return roundUp(tileBytes + blockRows(rowBytes: rowBytes) * (rowBytes + 4), to: 64)
}

private func multiplyQuantized(_ arguments: QuantizedGEMMArguments) {
  let rowBytes = gatheredRowBytes(arguments.patches)
  let block = blockRows(rowBytes: rowBytes)
  let header = PackedHeader(arguments.packed)
  let corrections = arguments.scratch + tileBytes
  let patches = corrections + block &* 4
  let elements = QuantizedElements(arguments.inputFormat)
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    let rows = Range(
      uncheckedBounds: (row, smaller(row &+ block, arguments.rows.upperBound)))
    clearRowEnds(arguments.patches, rows: rows, rowBytes: rowBytes, of: patches)
    gather(
      rows, of: arguments.patches, from: arguments.input, to: patches, rowStride: rowBytes,
      as: elements)
    for index in 0..<(rows.upperBound &- rows.lowerBound) {
      let sum =
        header.rowCorrection == 0 ? 0 : sumOfRow(patches + index &* rowBytes, count: rowBytes)
      store(header.rowCorrection &* sum, to: corrections + index &* 4)
    }
    multiplyBlock(arguments, header, rows, at: patches, corrections: corrections)
    row &+= block
  }
}

/// Fills the rows up to a multiple of four bytes; the patches are written over it.
@inline(__always)
private func clearRowEnds(
  _ geometry: PatchGeometry, rows: Range<Int>, rowBytes: Int, of patches: UnsafeMutableRawPointer
) {
  guard geometry.patchDepth &* packedElementBytes < rowBytes else { return }
  var end = patches + (rowBytes &- 4)
  for _ in rows {
    store(0 as Int32, to: end)
    end += rowBytes
  }
}

/// The sum of unsigned bytes.
private func sumOfRow(_ row: UnsafeRawPointer, count: Int) -> Int32 {
  var sum: Int32 = 0
  for index in 0..<count { sum &+= Int32(loadByte(row + index)) }
  return sum
}

private func multiplyBlock(
  _ arguments: QuantizedGEMMArguments, _ header: PackedHeader, _ block: Range<Int>,
  at first: UnsafeMutableRawPointer, corrections: UnsafeMutableRawPointer
) {
  let lanes = SumVector.scalarCount
  let depth = arguments.patches.patchDepth
  let rowBytes = gatheredRowBytes(arguments.patches)
  let panelStride = quantizedPanelStride(depth)
  let outputBytes = ScaleKind.outputBytes(header.scaleKind)
  let rows = block.upperBound &- block.lowerBound
  forEachTile(rows: rows, columns: arguments.columns) { row, rows, column, columns in
    let panel = arguments.packed + (PackedHeader.byteCount &+ column / lanes &* panelStride)
    let tile = Tile(
      rows: first + row &* rowBytes, rowStride: rowBytes, panel: panel, panelStride: panelStride,
      weightsOffset: scaleBytes, steps: quantizedSteps(depth), sums: arguments.scratch)
    multiply(
      tile, QuantizedArithmetic.self, upToRows: rows, upToVectors: (columns &+ lanes &- 1) / lanes)
    let outputRow = block.lowerBound &+ row
    let sums = SumTile(
      sums: tile.sums, sumsStride: tileVectors &* sumVectorBytes, rows: rows, columns: columns,
      corrections: corrections + row &* 4, scales: panel + sumVectorBytes,
      scalesStride: panelStride,
      output: arguments.output + (outputRow &* arguments.outputStride &+ column) &* outputBytes,
      outputStride: arguments.outputStride &* outputBytes)
    storeTile(
      sums, kind: header.scaleKind, range: arguments.range,
      hybrid: arguments.hybrid?.advanced(by: outputRow))
  }
}
