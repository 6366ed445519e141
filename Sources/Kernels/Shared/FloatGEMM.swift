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

enum FloatArithmetic<Rounding: MultiplyAdd>: TileArithmetic {
  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> FloatVector {
    FloatVector(repeating: loadFloat(row))
  }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> FloatVector { loadFloats(address) }

  /// The bias is added last, as in the reference.
  @inline(__always)
  static func start(_ panel: UnsafeRawPointer) -> FloatVector { FloatVector() }

  @inline(__always)
  static func accumulate(
    _ sum: FloatVector, _ row: FloatVector, _ weights: FloatVector
  ) -> FloatVector { Rounding.multiplyAdd(sum, row, weights) }

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
    let filter = arguments.filter + column &* arguments.columnStride
    if width == lanes && arguments.columnStride == 1 {
      copyVectors(filter, count: arguments.depth, apart: arguments.depthStride, to: vector)
    } else {
      var filter = filter
      for element in 0..<arguments.depth {
        storeLanes(width, to: vector + element &* vectorBytes) { lane in
          filter[lane &* arguments.columnStride]
        }
        filter += arguments.depthStride
      }
    }
    vector += arguments.depth &* vectorBytes
    column &+= lanes
  }
}

/// Packs columns that stand side by side.
@inline(__always)
private func copyVectors(
  _ source: UnsafePointer<Float>, count: Int, apart stride: Int, to target: UnsafeMutableRawPointer
) {
  var source = source
  var target = target
  for _ in 0..<count {
    store(loadFloats(source), to: target)
    source += stride
    target += vectorBytes
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
  let planes = FloatPlanes(geometry)?.byteCount ?? 0
  let rows = blockRows(rowBytes: rowBytes) * rowBytes
  return larger(planes, roundUp(tileBytes + rows + patchSlack, to: 64))
}

private func multiplyFloats(_ arguments: FloatGEMMArguments) {
  let geometry = arguments.patches
  if arguments.columns.upperBound <= FloatPlanes.maximumColumns,
    let planes = FloatPlanes(geometry)
  {
    if arguments.roundsProducts {
      planes.run(arguments, RoundedMultiplyAdd.self)
    } else {
      planes.run(arguments, FusedMultiplyAdd.self)
    }
    return
  }
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
  if arguments.roundsProducts {
    multiplyBlock(arguments, block, at: first, rowStride: rowStride, RoundedMultiplyAdd.self)
  } else {
    multiplyBlock(arguments, block, at: first, rowStride: rowStride, FusedMultiplyAdd.self)
  }
}

@inline(__always)
private func multiplyBlock<Rounding: MultiplyAdd>(
  _ arguments: FloatGEMMArguments, _ block: Range<Int>, at first: UnsafeRawPointer,
  rowStride: Int, _: Rounding.Type
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
      tile, FloatArithmetic<Rounding>.self, upToRows: rows,
      upToVectors: (columns &+ FloatVector.scalarCount &- 1) / FloatVector.scalarCount)
    let finish = FloatFinish(
      sums: tile.sums, rows: rows, columns: columns, bias: panel, biasStride: panelStride,
      output: UnsafeMutableRawPointer(
        output + (row &* arguments.outputStride &+ column)),
      outputStride: arguments.outputStride &* 4)
    storeFinished(finish, low, high)
  }
}

/// Sums of a tile, what is added to them and where they go.
private struct FloatFinish {
  var sums: UnsafeMutableRawPointer
  var rows: Int
  var columns: Int
  /// The bias of the first vector of columns, and the distance to the next.
  var bias: UnsafeRawPointer
  var biasStride: Int
  var output: UnsafeMutableRawPointer
  var outputStride: Int
}

/// Adds the bias to the sums, clamps them and stores what lies in the output.
@inline(__always)
private func storeFinished(_ finish: FloatFinish, _ low: FloatVector, _ high: FloatVector) {
  var bias = finish.bias
  var offset = 0
  while offset < finish.columns &* 4 {
    let biases = loadFloats(bias)
    let left = finish.columns &* 4 &- offset
    var sums = finish.sums + offset
    var output = finish.output + offset
    for _ in 0..<finish.rows {
      let finished = clamp(loadFloats(sums) + biases, low, high)
      if left >= vectorBytes {
        store(finished, to: output)
      } else {
        store(finished, to: sums)
        copyShortFloats(sums, to: output, count: left / 4)
      }
      sums += tileVectors &* vectorBytes
      output += finish.outputStride
    }
    bias += finish.biasStride
    offset &+= vectorBytes
  }
}
