import OcellusKernelABI

// With few columns, most lanes of a panel would be idle. These tiles transpose the operands: a lane
// is a row. Four elements of as many rows as there are lanes are transposed in registers, and each
// vector is multiplied by one weight at a time. Every sum adds the same products in the same order
// as in other tiles.

private let lanes = FloatVector.scalarCount
private let vectorBytes = MemoryLayout<FloatVector>.size

extension FloatPanelGroup {
  /// Whether transposed operands are faster: otherwise a row costs as much as a whole panel of
  /// columns.
  @inline(__always)
  var usesTransposedOperands: Bool {
    columns &* 2 <= lanes && rows.runBytes >= 64 && rows.count >= lanes
  }

  /// Returns the end of the equidistant rows from `row` on.
  @inline(__always)
  fileprivate func evenRows(from row: Int) -> Int {
    let offsets = rows.offsets
    var end = row &+ 1
    guard end < rows.count else { return end }
    let apart = offsets[end] &- offsets[row]
    while end < rows.count && offsets[end] &- offsets[end &- 1] == apart { end &+= 1 }
    return end
  }
}

// Not taken: splitting the depth over lanes, as for bytes (the order of additions, and so the bits,
// would depend on the instruction set).
/// Computes a group of few columns; calls `others` for rows outside equidistant segments of at
/// least as many rows as there are lanes.
@inline(__always)
func multiplyTransposed<Rounding: MultiplyAdd>(
  _ panelGroup: FloatPanelGroup, _ rounding: Rounding.Type, others: (Range<Int>) -> Void
) {
  var row = 0
  // The rows left to `others` are collected, since it handles many rows more efficiently than few.
  var othersStart = 0
  while row < panelGroup.rows.count {
    let end = panelGroup.evenRows(from: row)
    if end &- row >= lanes {
      if othersStart < row { others(Range(uncheckedBounds: (othersStart, row))) }
      multiplyEvenRows(panelGroup, Range(uncheckedBounds: (row, end)), rounding)
      othersStart = end
    }
    row = end
  }
  if othersStart < row { others(Range(uncheckedBounds: (othersStart, row))) }
}

@inline(__always)
private func multiplyEvenRows<Rounding: MultiplyAdd>(
  _ panelGroup: FloatPanelGroup, _ range: Range<Int>, _ rounding: Rounding.Type
) {
  switch panelGroup.columns {
  case 1: multiply(panelGroup, range, rounding, One.self)
  case 2: multiply(panelGroup, range, rounding, Two.self)
  case 3, 4: multiply(panelGroup, range, rounding, Four.self)
  default: multiply(panelGroup, range, rounding, Eight.self)
  }
}

/// Computes equidistant rows.
@inline(never)
private func multiply<Rounding: MultiplyAdd, Columns: Literal>(
  _ panelGroup: FloatPanelGroup, _ range: Range<Int>, _: Rounding.Type, _: Columns.Type
) {
  var row = range.lowerBound
  // Loads from more than 16 rows are more cache misses than a processor handles concurrently.
  while lanes <= 8 && range.upperBound &- row >= 2 &* lanes {
    multiply(panelGroup, row, Rounding.self, Columns.self, Two.self)
    row &+= 2 &* lanes
  }
  while row < range.upperBound {
    // The last vector may compute some rows a second time.
    multiply(
      panelGroup, smaller(row, range.upperBound &- lanes), Rounding.self, Columns.self, One.self)
    row &+= lanes
  }
}

@inline(__always)
private func multiply<Rounding: MultiplyAdd, Columns: Literal, Vectors: Literal>(
  _ panelGroup: FloatPanelGroup, _ row: Int, _: Rounding.Type, _: Columns.Type, _: Vectors.Type
) {
  let rows = panelGroup.rows
  let apart = Int(rows.offsets[row &+ 1] &- rows.offsets[row])
  var sums = ColumnSums<Rounding, Columns, Vectors>(biases: panelGroup.panel)
  var weights = panelGroup.panel + vectorBytes
  var run = rows.start + Int(rows.offsets[row])
  for _ in 0..<rows.runs {
    let end = run + rows.runBytes
    var address = run
    while address + 16 <= end {
      let x = sums.loadTransposed(address, apart)
      sums.add(x.0, x.4, weights)
      sums.add(x.1, x.5, weights + vectorBytes)
      sums.add(x.2, x.6, weights + 2 &* vectorBytes)
      sums.add(x.3, x.7, weights + 3 &* vectorBytes)
      address += 16
      weights += 4 &* vectorBytes
    }
    if address < end {
      // The last vectors also hold elements that were added before; those are skipped.
      let x = sums.loadTransposed(end - 16, apart)
      let left = (end - address) / 4
      if left > 2 {
        sums.add(x.1, x.5, weights)
        weights += vectorBytes
      }
      if left > 1 {
        sums.add(x.2, x.6, weights)
        weights += vectorBytes
      }
      sums.add(x.3, x.7, weights)
      weights += vectorBytes
    }
    run += rows.runStride
  }
  sums.applyEpilogue(panelGroup, row: row)
}

/// The sums of up to eight columns and two vectors of rows, in separate variables so that they stay
/// in registers.
private struct ColumnSums<Rounding: MultiplyAdd, Columns: Literal, Vectors: Literal> {
  private var a0, a1, a2, a3, a4, a5, a6, a7: FloatVector
  private var b0, b1, b2, b3, b4, b5, b6, b7: FloatVector

  @inline(__always)
  init(biases: UnsafeRawPointer) {
    @inline(__always)
    func start(_ column: Int) -> FloatVector {
      Rounding.startsWithBias && column < Columns.value
        ? FloatVector(repeating: loadFloat(biases + column &* 4)) : .zero
    }
    (a0, a1, a2, a3) = (start(0), start(1), start(2), start(3))
    (a4, a5, a6, a7) = (start(4), start(5), start(6), start(7))
    (b0, b1, b2, b3) = (a0, a1, a2, a3)
    (b4, b5, b6, b7) = (a4, a5, a6, a7)
  }

  typealias Elements = (
    FloatVector, FloatVector, FloatVector, FloatVector, FloatVector, FloatVector, FloatVector,
    FloatVector
  )

  /// Loads and transposes four elements of all rows: of the first vector of rows, then of the
  /// second.
  @inline(__always)
  func loadTransposed(_ address: UnsafeRawPointer, _ apart: Int) -> Elements {
    @inline(__always)
    func floats(_ x: SumVector) -> FloatVector { unsafeBitCast(x, to: FloatVector.self) }
    let x = transposedRows(address, apart: apart)
    let y = Vectors.value > 1 ? transposedRows(address + lanes &* apart, apart: apart) : x
    return (
      floats(x.0), floats(x.1), floats(x.2), floats(x.3), floats(y.0), floats(y.1), floats(y.2),
      floats(y.3)
    )
  }

  /// Adds the products of one element of every row and the weights of all columns.
  @inline(__always)
  mutating func add(_ x: FloatVector, _ y: FloatVector, _ weights: UnsafeRawPointer) {
    add(x, y, weights, &a0, &b0)
    if Columns.value > 1 { add(x, y, weights + 4, &a1, &b1) }
    if Columns.value > 2 {
      add(x, y, weights + 8, &a2, &b2)
      add(x, y, weights + 12, &a3, &b3)
    }
    if Columns.value > 4 {
      add(x, y, weights + 16, &a4, &b4)
      add(x, y, weights + 20, &a5, &b5)
      add(x, y, weights + 24, &a6, &b6)
      add(x, y, weights + 28, &a7, &b7)
    }
  }

  @inline(__always)
  private func add(
    _ x: FloatVector, _ y: FloatVector, _ weight: UnsafeRawPointer, _ a: inout FloatVector,
    _ b: inout FloatVector
  ) {
    let weight = FloatVector(repeating: loadFloat(weight))
    a = Rounding.multiplyAdd(a, x, weight)
    if Vectors.value > 1 { b = Rounding.multiplyAdd(b, y, weight) }
  }

  /// Adds the biases unless the sums began with them, and stores the clamped results row by row.
  @inline(__always)
  func applyEpilogue(_ panelGroup: FloatPanelGroup, row: Int) {
    applyEpilogue(panelGroup, row, column: 0, a0, b0)
    if Columns.value > 1 { applyEpilogue(panelGroup, row, column: 1, a1, b1) }
    if Columns.value > 2 {
      applyEpilogue(panelGroup, row, column: 2, a2, b2)
      if panelGroup.columns > 3 { applyEpilogue(panelGroup, row, column: 3, a3, b3) }
    }
    if Columns.value > 4 {
      applyEpilogue(panelGroup, row, column: 4, a4, b4)
      if panelGroup.columns > 5 { applyEpilogue(panelGroup, row, column: 5, a5, b5) }
      if panelGroup.columns > 6 { applyEpilogue(panelGroup, row, column: 6, a6, b6) }
      if panelGroup.columns > 7 { applyEpilogue(panelGroup, row, column: 7, a7, b7) }
    }
  }

  @inline(__always)
  private func applyEpilogue(
    _ panelGroup: FloatPanelGroup, _ row: Int, column: Int, _ a: FloatVector, _ b: FloatVector
  ) {
    let bias =
      Rounding.startsWithBias
      ? nil : FloatVector(repeating: loadFloat(panelGroup.panel + column &* 4))
    let output = panelGroup.output + (row &* panelGroup.outputStride &+ column &* 4)
    store(
      clamp(bias.map { a + $0 } ?? a, panelGroup.low, panelGroup.high), to: output,
      apart: panelGroup.outputStride)
    if Vectors.value > 1 {
      store(
        clamp(bias.map { b + $0 } ?? b, panelGroup.low, panelGroup.high),
        to: output + lanes &* panelGroup.outputStride,
        apart: panelGroup.outputStride)
    }
  }

  @inline(__always)
  private func store(
    _ results: FloatVector, to output: UnsafeMutableRawPointer, apart stride: Int
  ) {
    if stride == 4 {
      output.storeBytes(of: results, as: FloatVector.self)
    } else {
      for lane in 0..<lanes {
        output.storeBytes(of: results[lane], toByteOffset: lane &* stride, as: Float.self)
      }
    }
  }
}
