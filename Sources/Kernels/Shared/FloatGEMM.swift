import OcellusKernelABI

// A packed panel is one vector of bias and, per element of the depth, one vector of weights.

var floatGEMM: FloatGEMM {
  FloatGEMM(
    panelColumns: FloatVector.scalarCount, tileRows: tileRows,
    packedByteCount: packedFloatByteCount, pack: packFloats,
    scratchByteCount: floatScratchByteCount, run: multiplyFloats)
}

private let vectorBytes = MemoryLayout<FloatVector>.size
private let tileBytes = tileRows * tileVectors * MemoryLayout<FloatVector>.size

private enum FloatArithmetic: TileArithmetic {
  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> FloatVector {
    FloatVector(repeating: loadFloat(row))
  }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> FloatVector { loadFloats(address) }

  @inline(__always)
  static func accumulate(
    _ sum: FloatVector, _ row: FloatVector, _ weights: FloatVector
  ) -> FloatVector { multiplyAdd(sum, row, weights) }

  @inline(__always)
  static func storeSum(_ sum: FloatVector, to address: UnsafeMutableRawPointer) {
    store(sum, to: address)
  }
}

private struct FloatElements: PatchElements {
  @inline(__always)
  var inputBytes: Int { 4 }
  @inline(__always)
  var rowBytes: Int { 4 }

  @inline(__always)
  func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int) {
    copyBytes(source, to: row, count: count &* 4)
  }

  @inline(__always)
  func fill(_ row: UnsafeMutableRawPointer, count: Int) {
    for index in 0..<count { store(0 as Float, to: row + index &* 4) }
  }
}

private func packedFloatByteCount(columns: Int, depth: Int) -> Int {
  roundUp(columns, to: FloatVector.scalarCount) * 4 * (depth + 1)
}

private func packFloats(_ arguments: FloatPackingArguments) {
  let lanes = FloatVector.scalarCount
  var vector = arguments.packed
  var column = 0
  while column < arguments.columns {
    let width = smaller(lanes, arguments.columns &- column)
    storeLanes(width, to: vector) { lane in
      guard let bias = arguments.bias else { return 0 }
      return bias[column &+ lane]
    }
    vector += vectorBytes
    for element in 0..<arguments.depth {
      let filter = arguments.filter + (column &* arguments.depth &+ element)
      storeLanes(width, to: vector) { lane in filter[lane &* arguments.depth] }
      vector += vectorBytes
    }
    column &+= lanes
  }
}

/// Writes one vector: `width` values and zeros.
@inline(__always)
private func storeLanes(
  _ width: Int, to vector: UnsafeMutableRawPointer, _ value: (Int) -> Float
) {
  for lane in 0..<FloatVector.scalarCount {
    store(lane < width ? value(lane) : 0, to: vector + lane &* 4)
  }
}

private func floatScratchByteCount(_ geometry: PatchGeometry) -> Int {
  if geometry.isPointwise { return tileBytes }
  let rowBytes = geometry.patchDepth * 4
  return roundUp(tileBytes + blockRows(rowBytes: rowBytes) * rowBytes, to: 64)
}

private func multiplyFloats(_ arguments: FloatGEMMArguments) {
  let geometry = arguments.patches
  let rowBytes = geometry.patchDepth &* 4
  let block = blockRows(rowBytes: rowBytes)
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    let rows = Range(
      uncheckedBounds: (row, smaller(row &+ block, arguments.rows.upperBound)))
    if geometry.isPointwise {
      let pixelBytes = geometry.pixelStride &* 4
      let first = UnsafeRawPointer(arguments.input) + row &* pixelBytes
      multiplyBlock(arguments, rows, at: first, rowStride: pixelBytes)
    } else {
      let patches = arguments.scratch + tileBytes
      gather(
        rows, of: geometry, from: arguments.input, to: patches, rowStride: rowBytes,
        as: FloatElements())
      multiplyBlock(arguments, rows, at: UnsafeRawPointer(patches), rowStride: rowBytes)
    }
    row &+= block
  }
}

private func multiplyBlock(
  _ arguments: FloatGEMMArguments, _ block: Range<Int>, at first: UnsafeRawPointer, rowStride: Int
) {
  let depth = arguments.patches.patchDepth
  let panelStride = (depth &+ 1) &* vectorBytes
  let low = FloatVector(repeating: arguments.minimum)
  let high = FloatVector(repeating: arguments.maximum)
  let output = arguments.output + block.lowerBound &* arguments.outputStride
  let rows = block.upperBound &- block.lowerBound
  forEachTile(rows: rows, columns: arguments.columns) { row, rows, column, columns in
    let panel = arguments.packed + column / FloatVector.scalarCount &* panelStride
    let tile = Tile(
      rows: first + row &* rowStride, rowStride: rowStride, panel: panel,
      panelStride: panelStride, weightsOffset: vectorBytes, steps: depth, sums: arguments.scratch)
    multiply(
      tile, FloatArithmetic.self, upToRows: rows,
      upToVectors: (columns &+ FloatVector.scalarCount &- 1) / FloatVector.scalarCount)
    for index in 0..<rows {
      storeClamped(
        tile.sums + index &* tileVectors &* vectorBytes,
        to: output + ((row &+ index) &* arguments.outputStride &+ column), count: columns,
        low, high)
    }
  }
}

/// Clamps one row of a tile, in place, and copies what lies in the output.
@inline(__always)
private func storeClamped(
  _ sums: UnsafeMutableRawPointer, to output: UnsafeMutablePointer<Float>, count: Int,
  _ low: FloatVector, _ high: FloatVector
) {
  let target = UnsafeMutableRawPointer(output)
  let whole = count / FloatVector.scalarCount &* vectorBytes
  var offset = 0
  while offset < whole {
    store(clamp(loadFloats(sums + offset), low, high), to: target + offset)
    offset &+= vectorBytes
  }
  guard offset < count &* 4 else { return }
  store(clamp(loadFloats(sums + offset), low, high), to: sums + offset)
  copyBytes(sums + offset, to: target + offset, count: count &* 4 &- offset)
}
