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

/// The outer loop is over columns, so that their multipliers stay in registers.
@inline(__always)
private func storeRows<Writer: SumWriter>(
  _ tile: SumTile, _ range: Writer.Scaling, by _: Writer.Type
) {
  var none: Int32 = 0
  withUnsafeBytes(of: &none) { none in
    // Without corrections, all rows read the same zero.
    let corrections = RowCorrections(
      first: tile.corrections ?? none.baseAddress.unsafelyUnwrapped,
      stride: tile.corrections == nil ? 0 : 4)
    var scales = tile.scales
    var column = 0
    while column < tile.columns {
      let writer = Writer(scales, range)
      var left = tile
      left.columns = smaller(tile.columns &- column, SumVector.scalarCount)
      left.sums += column &* 4
      left.output += column &* Writer.outputBytes
      var corrections = corrections
      while left.rows >= 4 { left.storeRows(4, writer, &corrections) }
      while left.rows >= 1 { left.storeRows(1, writer, &corrections) }
      scales += tile.scalesStride
      column &+= SumVector.scalarCount
    }
  }
}

/// The 32-bit corrections of rows.
private struct RowCorrections {
  var first: UnsafeRawPointer
  var stride: Int

  @inline(__always)
  subscript(row: Int) -> SumVector { SumVector(repeating: loadInt32(first + row &* stride)) }
}

extension SumTile {
  /// Stores the first `count` rows of one vector of columns, and advances past them.
  ///
  /// `count` is a literal at every call: 1 or 4.
  @inline(__always)
  fileprivate mutating func storeRows<Writer: SumWriter>(
    _ count: Int, _ writer: Writer, _ corrections: inout RowCorrections
  ) {
    let first = row(0, corrections)
    let destination = ResultDestination(
      output: output, stride: outputStride, pairStride: 2 &* outputStride, width: columns,
      scratch: sums)
    writer.write(
      first, count > 1 ? row(1, corrections) : first, count > 1 ? row(2, corrections) : first,
      count > 1 ? row(3, corrections) : first, count: count, to: destination)
    rows &-= count
    sums += count &* sumsStride
    output += count &* outputStride
    corrections.first += count &* corrections.stride
  }

  @inline(__always)
  private func row(_ index: Int, _ corrections: RowCorrections) -> SumVector {
    loadSums(sums + index &* sumsStride) &+ corrections[index]
  }
}
