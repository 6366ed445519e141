import OcellusKernelABI

// A packed panel is one vector of biases and one vector of weights per element of the depth.

private let vectorBytes = MemoryLayout<FloatVector>.size

enum FloatArithmetic<Rounding: MultiplyAdd>: TileArithmetic {
  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> FloatVector {
    FloatVector(repeating: loadFloat(row))
  }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> FloatVector { loadFloats(address) }

  /// The biases head a panel; the reference adds them last.
  @inline(__always)
  static func start(_ panel: UnsafeRawPointer) -> FloatVector {
    Rounding.startsWithBias ? loadFloats(panel) : FloatVector()
  }

  @inline(__always)
  static func start(ofColumn bias: UnsafeRawPointer) -> FloatVector {
    Rounding.startsWithBias ? FloatVector(repeating: loadFloat(bias)) : FloatVector()
  }

  @inline(__always)
  static var startsWithBias: Bool { Rounding.startsWithBias }

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

func packedFloatByteCount(columns: Int, depth: Int) -> Int {
  roundUp(columns, to: FloatVector.scalarCount) * 4 * (depth + 1)
}

/// Packs weights into panels, of which each group of `sideBySide` is interleaved.
func packFloats(_ arguments: FloatPackingArguments, sideBySide: Int) {
  let lanes = FloatVector.scalarCount
  let depth = arguments.patches.patchDepth
  let layout = PanelLayout(
    panels: panelCount(arguments.columns), steps: depth &+ 1, vectorBytes: vectorBytes,
    sideBySide: sideBySide)
  for panel in 0..<layout.panels {
    let column = panel &* lanes
    let width = smaller(lanes, arguments.columns &- column)
    let stride = layout.stride(ofPanel: panel)
    let bias = arguments.packed + layout.start(ofPanel: panel)
    storeLanes(width, to: bias) { lane in
      guard let bias = arguments.bias else { return 0 }
      return bias[column &+ lane]
    }
    let vector = bias + stride
    let filter = arguments.filter + column &* arguments.columnStride
    if width == lanes && arguments.columnStride == 1 {
      copyVectors(
        filter, count: depth, apart: arguments.depthStride, to: vector, stride: stride)
      continue
    }
    let start =
      width == lanes && arguments.depthStride == 1
      ? copyColumns(
        filter, count: depth, apart: arguments.columnStride, to: vector, stride: stride)
      : 0
    for element in start..<depth {
      let numbers = filter + element &* arguments.depthStride
      storeLanes(width, to: vector + element &* stride) { numbers[$0 &* arguments.columnStride] }
    }
  }
}

/// Packs columns that are contiguous in memory: each vector is a copy.
@inline(__always)
private func copyVectors(
  _ source: UnsafePointer<Float>, count: Int, apart sourceStride: Int,
  to target: UnsafeMutableRawPointer, stride: Int
) {
  var source = source
  var target = target
  for _ in 0..<count {
    store(loadFloats(source), to: target)
    source += sourceStride
    target += stride
  }
}

/// Packs columns whose elements are contiguous, four elements at a time by transposition.
///
/// - Returns: the first element that is left.
@inline(__always)
private func copyColumns(
  _ source: UnsafePointer<Float>, count: Int, apart sourceStride: Int,
  to target: UnsafeMutableRawPointer, stride: Int
) -> Int {
  var element = 0
  while element &+ 4 <= count {
    let vectors = transposedRows(UnsafeRawPointer(source + element), apart: sourceStride &* 4)
    let address = target + element &* stride
    store(vectors.0, to: address)
    store(vectors.1, to: address + stride)
    store(vectors.2, to: address + 2 &* stride)
    store(vectors.3, to: address + 3 &* stride)
    element &+= 4
  }
  return element
}

/// Writes one vector: `width` values, then zeros.
@inline(__always)
func storeLanes(
  _ width: Int, to vector: UnsafeMutableRawPointer, _ value: (Int) -> Float
) {
  for lane in 0..<FloatVector.scalarCount {
    store(lane < width ? value(lane) : 0, to: vector + lane &* 4)
  }
}

// Scratch: the offsets of a row slice, and its padded input rows (see `PaddedRows`) or im2col
// copies.

/// The size of the offsets of a row slice that is read in place or copied by im2col.
private let offsetsByteCount = 16 * floatTileRows * 4

/// Returns the size of the scratch memory for im2col, or for rows in place.
func scratchByteCountOfFloatRows(_ geometry: PatchGeometry) -> Int {
  if geometry.isPointwise { return roundUp(offsetsByteCount, to: 64) }
  let rowBytes = geometry.patchDepth * 4
  return roundUp(
    offsetsByteCount + sliceRows(rowBytes: rowBytes, tileRows: floatTileRows) * rowBytes
      + patchSlack,
    to: 64)
}

/// Returns the size of the scratch memory for windows in padded rows.
func scratchByteCountOfPaddedFloatRows(_ geometry: PatchGeometry) -> Int {
  roundUp(PaddedRows(geometry, as: FloatElements()).byteCount, to: 64)
}

/// Multiplies windows that are read from padded input rows (implicit GEMM).
@inline(never)
func multiplyPaddedRows<Rounding: MultiplyAdd>(
  _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
) {
  let paddedRows = PaddedRows(arguments.patches, as: FloatElements())
  arguments.forEachSlice {
    paddedRows.copy($0, from: arguments.input, to: arguments.scratch)
  } multiply: {
    multiplyPanelGroups(arguments, $0, from: $1, rounding)
  }
}

/// Multiplies pixels in place, or patches copied by im2col, slice by slice.
@inline(never)
func multiplyRows<Rounding: MultiplyAdd>(
  _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
) {
  let geometry = arguments.patches
  let rowBytes = geometry.patchDepth &* 4
  let stride = geometry.isPointwise ? geometry.pixelStride &* 4 : rowBytes
  // Offsets have 32 bits.
  let block =
    stride < 1 << 28 ? sliceRows(rowBytes: rowBytes, tileRows: Rounding.TileRows.value) : 1
  let offsets = arguments.scratch.assumingMemoryBound(to: Int32.self)
  let patches = arguments.scratch + offsetsByteCount
  let end = arguments.rows.upperBound
  for row in 0..<smaller(block, end &- arguments.rows.lowerBound) {
    offsets[row] = Int32(truncatingIfNeeded: row &* stride)
  }
  var rows = IndirectRows(
    start: UnsafeRawPointer(patches), offsets: UnsafePointer(offsets), count: 0, runs: 1,
    runStride: 0, runBytes: rowBytes)
  var row = arguments.rows.lowerBound
  while row < end {
    rows.count = smaller(block, end &- row)
    if geometry.isPointwise {
      rows.start = arguments.input + row &* stride
    } else {
      im2col(
        Range(uncheckedBounds: (row, row &+ rows.count)), of: geometry, from: arguments.input,
        to: patches, rowStride: rowBytes, as: FloatElements())
    }
    multiplyPanelGroups(arguments, rows, from: row, rounding)
    row &+= rows.count
  }
}

/// Multiplies a row slice by all panels, one panel group after the other, whose weights then stay
/// in the L1 cache.
@inline(__always)
private func multiplyPanelGroups<Rounding: MultiplyAdd>(
  _ arguments: GEMMBlock<FloatEpilogue>, _ rows: IndirectRows, from firstRow: Int,
  _ rounding: Rounding.Type
) {
  let panelStride = (arguments.patches.patchDepth &+ 1) &* vectorBytes
  let output = arguments.results + firstRow &* arguments.outputStride
  var column = arguments.columns.lowerBound
  while column < arguments.columns.upperBound {
    let columns = smaller(
      floatTileVectors &* FloatVector.scalarCount, arguments.columns.upperBound &- column)
    multiply(
      FloatPanelGroup(
        rows: rows, panel: arguments.packed + column / FloatVector.scalarCount &* panelStride,
        panelStride: panelStride, output: UnsafeMutableRawPointer(output + column),
        columns: columns, outputStride: arguments.outputStride &* 4,
        low: FloatVector(repeating: arguments.epilogue.minimum),
        high: FloatVector(repeating: arguments.epilogue.maximum)),
      rounding)
    column &+= columns
  }
}

extension GEMMBlock<FloatEpilogue> {
  /// The input as floats.
  @inline(__always)
  var floats: UnsafePointer<Float> { input.assumingMemoryBound(to: Float.self) }

  /// The output as floats.
  @inline(__always)
  var results: UnsafeMutablePointer<Float> { output.assumingMemoryBound(to: Float.self) }
}
