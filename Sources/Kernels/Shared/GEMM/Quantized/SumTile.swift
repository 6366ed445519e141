import OcellusKernelABI

/// A tile of sums in memory, with its scaling and its destination.
struct SumTile {
  /// The sums of the first row, in whole vectors; they may be overwritten.
  var sums: UnsafeMutableRawPointer
  var sumsStride: Int
  var rows: Int
  var columns: Int
  /// A 32-bit zero-point correction for every row, or `nil` if sums need none.
  var corrections: UnsafeRawPointer?
  /// The multipliers of the first vector of columns, and the distance to the next ones.
  var scales: UnsafeRawPointer
  var scalesStride: Int
  /// The first element of the output, and the bytes between rows.
  var output: UnsafeMutableRawPointer
  var outputStride: Int

  @inline(__always)
  fileprivate func correction(_ row: Int) -> Int32 {
    guard let corrections else { return 0 }
    return loadInt32(corrections + row &* 4)
  }
}

/// Scales the sums of a tile as the packed weights specify, and stores them.
@inline(never)
func storeTile(
  _ tile: SumTile, kind: Int32, range: QuantizedRange, hybrid: HybridScaling?
) {
  if let hybrid { return storeHybrid(tile, hybrid) }
  switch kind {
  case ScaleKind.bounded where range.minimum >= range.zeroPoint:
    storeRows(tile, range, by: ScaledWriter<RectifiedScale>.self)
  case ScaleKind.bounded: storeRows(tile, range, by: ScaledWriter<BoundedScale>.self)
  case ScaleKind.fixedPoint: storeRows(tile, range, by: ScaledWriter<FixedPointScale>.self)
  case ScaleKind.real: storeRows(tile, range, by: ScaledWriter<RealScale>.self)
  case ScaleKind.single: storeRows(tile, range, by: ScaledWriter<SingleScale>.self)
  default: storeRows(tile, range, by: PlainWriter.self)
  }
}

@inline(__always)
private func storeRows<Writer: SumWriter>(
  _ tile: SumTile, _ range: Writer.Scaling, by writer: Writer.Type
) {
  if tile.corrections == nil {
    storeRows(tile, range, by: writer, corrects: false)
  } else {
    storeRows(tile, range, by: writer, corrects: true)
  }
}

/// The outer loop is over columns, so that their multipliers stay in registers.
@inline(__always)
private func storeRows<Writer: SumWriter>(
  _ tile: SumTile, _ range: Writer.Scaling, by _: Writer.Type, corrects: Bool
) {
  var scales = tile.scales
  var column = 0
  while column < tile.columns {
    let writer = Writer(scales, range)
    var left = tile
    left.columns = smaller(tile.columns &- column, SumVector.scalarCount)
    left.sums += column &* 4
    left.output += column &* Writer.outputBytes
    while left.rows >= 4 { left.storeRows(4, writer, corrects: corrects) }
    if left.rows >= 2 { left.storeRows(2, writer, corrects: corrects) }
    if left.rows >= 1 { left.storeRows(1, writer, corrects: corrects) }
    scales += tile.scalesStride
    column &+= SumVector.scalarCount
  }
}

extension SumTile {
  /// Stores the first `count` rows of one vector of columns, and advances past them.
  ///
  /// `count` is a literal at every call: 1, 2 or 4.
  @inline(__always)
  fileprivate mutating func storeRows<Writer: SumWriter>(
    _ count: Int, _ writer: Writer, corrects: Bool
  ) {
    let a = row(0, corrects)
    let b = count > 1 ? row(1, corrects) : a
    let c = count > 2 ? row(2, corrects) : b
    let d = count > 2 ? row(3, corrects) : b
    let destination = ResultDestination(
      output: output, stride: outputStride, pairStride: 2 &* outputStride, width: columns,
      scratch: sums)
    writer.write(a, b, c, d, count: count, to: destination)
    rows &-= count
    sums += count &* sumsStride
    output += count &* outputStride
    if corrects, let corrections { self.corrections = corrections + count &* 4 }
  }

  @inline(__always)
  private func row(_ index: Int, _ corrects: Bool) -> SumVector {
    let vector = loadSums(sums + index &* sumsStride)
    return corrects ? vector &+ SumVector(repeating: correction(index)) : vector
  }
}
