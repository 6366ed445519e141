import OcellusKernelABI

/// A row slice times a group of up to `tileVectors` panels, whose sums stay in registers until they
/// are results.
///
/// The group's weights stay in the L1 cache for all tiles, and its multipliers are loaded once.
struct QuantizedPanelGroup {
  /// At least `tileRows` rows.
  var rows: IndirectRows
  /// The head of the first panel, and the distance between panels.
  var panel: UnsafeRawPointer
  var panelStride: Int
  /// A 32-bit zero-point correction for every row, or `nil` if sums need none.
  var corrections: UnsafeRawPointer?
  /// The first byte of the results, their number of columns, and the distance in bytes between
  /// rows.
  var output: UnsafeMutableRawPointer
  var columns: Int
  var outputStride: Int
  /// Scratch for one vector, followed by the constant of `SignToggledRows`.
  var scratch: UnsafeMutableRawPointer
}

extension QuantizedPanelGroup {
  /// Returns the width of the next panel group, in columns.
  ///
  /// If rows are long, the few columns of a partial panel form a group of their own, which has
  /// transposed operands (see `multiplyTransposed`).
  @inline(__always)
  static func width(_ columns: Int, depth: Int) -> Int {
    let lanes = SumVector.scalarCount
    let width = smaller(columns, tileVectors &* lanes)
    let rest = width % lanes
    #if TRANSPOSED_OPERANDS
      let isSeparate = rest > 0 && rest <= lanes / 2 && width > lanes && depth >= 48
      return isSeparate ? width &- rest : width
    #else
      return width
    #endif
  }

  /// The minimum number of rows for which toggling sign bits after loading pays.
  @inline(__always)
  static var signToggledRowCount: Int { 8 &* tileRows }

  /// Returns the number of rows of a slice that is read in place and whose sign bits are toggled.
  ///
  /// Their offsets take less scratch memory than copies would.
  @inline(__always)
  static func signToggledRowCount(rowBytes: Int) -> Int {
    larger(signToggledRowCount, smaller(minimumSliceRows &* rowBytes / 8, (64 &* 1024) / rowBytes))
  }

  /// Whether a single panel is multiplied in tiles of twice `tileRows`.
  @inline(__always)
  var usesDoubleHeightTiles: Bool {
    hasDoubleHeightTiles && rows.count >= 2 &* tileRows && rows.bytes >= 64
  }

  /// Computes the tile whose first row is `row`, with corrected sums.
  @inline(__always)
  func tile<Rows: Literal, Vectors: Literal>(
    row: Int, _: Rows.Type, _: Vectors.Type
  ) -> QuantizedTile<Rows, Vectors> {
    var tile = QuantizedTile<Rows, Vectors>(panel: panel, panelStride: panelStride)
    tile.addProducts(rows, row: row, weights: panel + scaleBytes, panelStride: panelStride)
    if let corrections { tile.add(corrections + row &* 4) }
    return tile
  }
}

typealias QuantizedTileRow = AccumulatorRow<QuantizedArithmetic<SingleGroup>>
typealias QuantizedTile<Rows: Literal, Vectors: Literal> = AccumulatorTile<
  QuantizedArithmetic<SingleGroup>, Rows, Vectors
>

/// The epilogue of a panel group, which turns the sums of its tiles into results.
protocol PanelGroupEpilogue {
  associatedtype Settings

  /// Reads the multipliers of `vectors` panels.
  init(_ panelGroup: QuantizedPanelGroup, _ settings: Settings, vectors: Int)

  func applyEpilogue<Rows: Literal, Vectors: Literal>(
    _ tile: QuantizedTile<Rows, Vectors>, row: Int)
}

/// Computes all rows in tiles; the last tile may overlap the one before.
@inline(__always)
func multiplyPanelGroup<Epilogue: PanelGroupEpilogue, Vectors: Literal>(
  _ panelGroup: QuantizedPanelGroup, _ settings: Epilogue.Settings, _ epilogue: Epilogue.Type,
  _ vectors: Vectors.Type
) {
  if Vectors.value > 3 && panelGroup.rows.bytes <= maximumShallowRowBytes {
    multiplyRows(panelGroup, settings, epilogue, ShallowTileRows.self, vectors)
  } else {
    multiplyRows(panelGroup, settings, epilogue, TileRows.self, vectors)
  }
}

@inline(__always)
private func multiplyRows<Epilogue: PanelGroupEpilogue, Rows: Literal, Vectors: Literal>(
  _ panelGroup: QuantizedPanelGroup, _ settings: Epilogue.Settings, _ epilogue: Epilogue.Type,
  _ rows: Rows.Type,
  _ vectors: Vectors.Type
) {
  let tileRows = Rows.value
  let count = panelGroup.rows.count
  let rest = count % tileRows
  multiplyTiles(
    panelGroup, Range(uncheckedBounds: (0, count &- rest)), settings, epilogue, rows, vectors)
  switch rest {
  case 0: break
  case 1, 2:
    multiplyTiles(
      panelGroup, Range(uncheckedBounds: (count &- 2, count)), settings, epilogue, Two.self, vectors
    )
  case 3 where tileRows > 4, 4 where tileRows > 4:
    multiplyTiles(
      panelGroup, Range(uncheckedBounds: (count &- 4, count)), settings, epilogue, Four.self,
      vectors)
  default:
    multiplyTiles(
      panelGroup, Range(uncheckedBounds: (count &- tileRows, count)), settings, epilogue, rows,
      vectors)
  }
}

/// Computes tiles of one size, out of line so that accumulators share the registers with nothing
/// else.
@inline(never)
private func multiplyTiles<Epilogue: PanelGroupEpilogue, Rows: Literal, Vectors: Literal>(
  _ panelGroup: QuantizedPanelGroup, _ rows: Range<Int>, _ settings: Epilogue.Settings,
  _: Epilogue.Type,
  _: Rows.Type, _: Vectors.Type
) {
  let epilogue = Epilogue(panelGroup, settings, vectors: Vectors.value)
  var row = rows.lowerBound
  while row < rows.upperBound {
    epilogue.applyEpilogue(panelGroup.tile(row: row, Rows.self, Vectors.self), row: row)
    row &+= Rows.value
  }
}

extension AccumulatorTile where Arithmetic.Vector == SumVector {
  /// Adds a 32-bit correction to every row.
  @inline(__always)
  mutating func add(_ corrections: UnsafeRawPointer) {
    let vectors = Vectors.value
    r0.add(correction: loadInt32(corrections), vectors: vectors)
    if Rows.value > 1 { r1.add(correction: loadInt32(corrections + 4), vectors: vectors) }
    if Rows.value > 2 { r2.add(correction: loadInt32(corrections + 8), vectors: vectors) }
    if Rows.value > 3 { r3.add(correction: loadInt32(corrections + 12), vectors: vectors) }
    if Rows.value > 4 { r4.add(correction: loadInt32(corrections + 16), vectors: vectors) }
    if Rows.value > 5 { r5.add(correction: loadInt32(corrections + 20), vectors: vectors) }
    if Rows.value > 6 { r6.add(correction: loadInt32(corrections + 24), vectors: vectors) }
    if Rows.value > 7 { r7.add(correction: loadInt32(corrections + 28), vectors: vectors) }
  }
}

extension AccumulatorRow where Arithmetic.Vector == SumVector {
  @inline(__always)
  fileprivate mutating func add(correction: Int32, vectors: Int) {
    let vector = SumVector(repeating: correction)
    v0 &+= vector
    if vectors > 1 { v1 &+= vector }
    if vectors > 2 { v2 &+= vector }
    if vectors > 3 { v3 &+= vector }
  }
}
