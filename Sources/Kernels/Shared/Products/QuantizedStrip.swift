import OcellusKernelABI

/// Many rows times up to `tileVectors` panels, whose sums stay in registers until they are bytes.
struct QuantizedStrip {
  /// At least `tileRows` rows, or one.
  var rows: StripRows
  /// The head of the first panel, and the distance to the next.
  var panel: UnsafeRawPointer
  var panelStride: Int
  /// Four bytes a row, added to its sums, if there is something to correct.
  var corrections: UnsafeRawPointer?
  /// The first byte of the results, their columns and the bytes to the next row.
  var output: UnsafeMutableRawPointer
  var columns: Int
  var outputStride: Int
  /// Room for a vector.
  var scratch: UnsafeMutableRawPointer
}

extension QuantizedStrip {
  /// The columns of the next strip of so many: those in whole vectors first, where rows are so long
  /// that it is better to multiply the few others by themselves (see `multiplyPixels`).
  @inline(__always)
  static func width(_ columns: Int, depth: Int) -> Int {
    let lanes = SumVector.scalarCount
    let width = smaller(columns, tileVectors &* lanes)
    let rest = width % lanes
    #if PIXEL_LANES
      let isParted = rest > 0 && rest <= lanes / 2 && width > lanes && depth >= 48
      return isParted ? width &- rest : width
    #else
      return width
    #endif
  }

  /// Whether the last strip of these columns has so few that they are multiplied by themselves.
  @inline(__always)
  static func hasFewColumns(_ columns: Range<Int>) -> Bool {
    let rest = (columns.upperBound &- columns.lowerBound) % SumVector.scalarCount
    return rest > 0 && rest <= SumVector.scalarCount / 2
  }
}

private typealias StripRow = TileRow<QuantizedArithmetic<SingleGroup>>
private typealias StripTile<Vectors: Literal> = RowTile<
  QuantizedArithmetic<SingleGroup>, TileRows, Vectors
>

/// Computes a strip of up to `tileVectors` panels.
@inline(__always)
func multiplyStrip<Scale: VectorScale>(
  _ strip: QuantizedStrip, _ range: QuantizedRange, _ scale: Scale.Type, upToVectors vectors: Int
) {
  switch vectors {
  case 1 where hasTallTiles && strip.rows.count >= 8 &* tileRows && strip.rows.bytes >= 64:
    multiplyPanel(strip, range, scale)
  case 1: multiplyStrip(strip, range, scale, One.self)
  case 2: multiplyStrip(strip, range, scale, Two.self)
  case 3 where tileVectors > 2: multiplyStrip(strip, range, scale, Three.self)
  case 4 where tileVectors > 3: multiplyStrip(strip, range, scale, Four.self)
  default: break
  }
}

/// A function of its own, so that sums need share the registers with nothing else.
///
/// The last tile may have rows of the one before.
@inline(never)
private func multiplyStrip<Scale: VectorScale, Vectors: Literal>(
  _ strip: QuantizedStrip, _ range: QuantizedRange, _: Scale.Type, _: Vectors.Type
) {
  let finish = StripFinish<Scale>(strip, range, vectors: Vectors.value)
  var row = 0
  while row < strip.rows.count {
    let first = smaller(row, strip.rows.count &- tileRows)
    var tile = StripTile<Vectors>(panel: strip.panel, panelStride: strip.panelStride)
    tile.addProducts(
      strip.rows, row: first, weights: strip.panel + scaleBytes, panelStride: strip.panelStride)
    if let corrections = strip.corrections { tile.add(corrections + first &* 4) }
    finish.finish(tile, strip, row: first)
    row &+= tileRows
  }
}

/// Whether rows of one panel are worth tiles of their own.
#if LANE_PRODUCTS
  private let hasTallTiles = false
#else
  private let hasTallTiles = tileRows > 4
#endif

/// Computes a strip of one panel in tiles of twice as many rows.
///
/// With six products for seven vectors that are loaded, loading is what long sums would wait for.
@inline(never)
private func multiplyPanel<Scale: VectorScale>(
  _ strip: QuantizedStrip, _ range: QuantizedRange, _: Scale.Type
) {
  let finish = StripFinish<Scale>(strip, range, vectors: 1)
  var row = 0
  while row < strip.rows.count {
    let first = smaller(row, strip.rows.count &- 2 &* tileRows)
    var tile = TallTile(strip)
    tile.addProducts(strip, row: first)
    if let corrections = strip.corrections {
      tile.upper.add(corrections + first &* 4)
      tile.lower.add(corrections + (first &+ tileRows) &* 4)
    }
    finish.finish(tile, strip, row: first)
    row &+= 2 &* tileRows
  }
}

/// The sums of twice `tileRows` rows of one panel.
private struct TallTile {
  var upper, lower: StripTile<One>

  @inline(__always)
  init(_ strip: QuantizedStrip) {
    upper = StripTile<One>(panel: strip.panel, panelStride: strip.panelStride)
    lower = upper
  }

  @inline(__always)
  mutating func addProducts(_ strip: QuantizedStrip, row: Int) {
    let upperPlaces = RowPlaces<TileRows>(strip.rows.offsets + row)
    let lowerPlaces = RowPlaces<TileRows>(strip.rows.offsets + (row &+ tileRows))
    var weights = strip.panel + scaleBytes
    var run = strip.rows.start
    let steps = (strip.rows.runBytes &+ 3) / 4
    for _ in 0..<strip.rows.runs {
      var place = run
      for _ in 0..<steps {
        let w = StripRow(weights, stride: 0, vectors: 1) { loadSums($0) }
        upper.add(place, upperPlaces, w)
        lower.add(place, lowerPlaces, w)
        place += 4
        weights += sumVectorBytes
      }
      run += strip.rows.runStride
    }
  }
}

extension RowTile where Arithmetic.Vector == SumVector {
  /// Adds four bytes a row.
  @inline(__always)
  fileprivate mutating func add(_ corrections: UnsafeRawPointer) {
    let vectors = Vectors.value
    r0.add(correction: loadInt32(corrections), vectors: vectors)
    r1.add(correction: loadInt32(corrections + 4), vectors: vectors)
    r2.add(correction: loadInt32(corrections + 8), vectors: vectors)
    r3.add(correction: loadInt32(corrections + 12), vectors: vectors)
    if Rows.value > 4 { r4.add(correction: loadInt32(corrections + 16), vectors: vectors) }
    if Rows.value > 5 { r5.add(correction: loadInt32(corrections + 20), vectors: vectors) }
    if Rows.value > 6 { r6.add(correction: loadInt32(corrections + 24), vectors: vectors) }
    if Rows.value > 7 { r7.add(correction: loadInt32(corrections + 28), vectors: vectors) }
  }
}

extension TileRow where Arithmetic.Vector == SumVector {
  @inline(__always)
  fileprivate mutating func add(correction: Int32, vectors: Int) {
    let vector = SumVector(repeating: correction)
    v0 &+= vector
    if vectors > 1 { v1 &+= vector }
    if vectors > 2 { v2 &+= vector }
    if vectors > 3 { v3 &+= vector }
  }
}

/// Turns the sums of up to four vectors of columns into bytes.
private struct StripFinish<Scale: VectorScale> {
  private var scale0, scale1, scale2, scale3: Scale
  private var bytes: ByteRange

  @inline(__always)
  init(_ strip: QuantizedStrip, _ range: QuantizedRange, vectors: Int) {
    let zeroPoint = SumVector(repeating: range.zeroPoint &- range.narrowingOffset)
    let scales = strip.panel + sumVectorBytes
    let stride = strip.panelStride
    scale0 = Scale(scales, zeroPoint: zeroPoint)
    scale1 = vectors > 1 ? Scale(scales + stride, zeroPoint: zeroPoint) : scale0
    scale2 = vectors > 2 ? Scale(scales + 2 &* stride, zeroPoint: zeroPoint) : scale0
    scale3 = vectors > 3 ? Scale(scales + 3 &* stride, zeroPoint: zeroPoint) : scale0
    bytes = ByteRange(range)
  }

  @inline(__always)
  func finish<Vectors: Literal>(_ tile: StripTile<Vectors>, _ strip: QuantizedStrip, row: Int) {
    let vectors = Vectors.value
    let output = strip.output + row &* strip.outputStride
    let stride = strip.outputStride
    switch vectors {
    case 1:
      write(quad(tile.r0, tile.r1, tile.r2, tile.r3), strip, to: output, rows: 4, vectors: 1)
      guard tileRows > 4 else { return }
      if tileRows > 6 {
        write(
          quad(tile.r4, tile.r5, tile.r6, tile.r7), strip, to: output + 4 &* stride, rows: 4,
          vectors: 1)
      } else {
        write(
          quad(tile.r4, tile.r5, tile.r4, tile.r5), strip, to: output + 4 &* stride, rows: 2,
          vectors: 1)
      }
    case 2:
      write(pair(tile.r0, tile.r1), strip, to: output, rows: 2, vectors: 2)
      write(pair(tile.r2, tile.r3), strip, to: output + 2 &* stride, rows: 2, vectors: 2)
      guard tileRows > 4 else { return }
      write(pair(tile.r4, tile.r5), strip, to: output + 4 &* stride, rows: 2, vectors: 2)
      guard tileRows > 6 else { return }
      write(pair(tile.r6, tile.r7), strip, to: output + 6 &* stride, rows: 2, vectors: 2)
    default:
      write(four(tile.r0, vectors), strip, to: output, rows: 1, vectors: vectors)
      write(four(tile.r1, vectors), strip, to: output + stride, rows: 1, vectors: vectors)
      write(four(tile.r2, vectors), strip, to: output + 2 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r3, vectors), strip, to: output + 3 &* stride, rows: 1, vectors: vectors)
      guard tileRows > 4 else { return }
      write(four(tile.r4, vectors), strip, to: output + 4 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r5, vectors), strip, to: output + 5 &* stride, rows: 1, vectors: vectors)
      guard tileRows > 6 else { return }
      write(four(tile.r6, vectors), strip, to: output + 6 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r7, vectors), strip, to: output + 7 &* stride, rows: 1, vectors: vectors)
    }
  }

  /// Stores twice `tileRows` rows of one panel, four at a time.
  @inline(__always)
  func finish(_ tile: TallTile, _ strip: QuantizedStrip, row: Int) {
    let (upper, lower) = (tile.upper, tile.lower)
    let output = strip.output + row &* strip.outputStride
    let stride = strip.outputStride
    write(quad(upper.r0, upper.r1, upper.r2, upper.r3), strip, to: output, rows: 4, vectors: 1)
    write(
      quad(upper.r4, upper.r5, lower.r0, lower.r1), strip, to: output + 4 &* stride, rows: 4,
      vectors: 1)
    write(
      quad(lower.r2, lower.r3, lower.r4, lower.r5), strip, to: output + 8 &* stride, rows: 4,
      vectors: 1)
  }

  @inline(__always)
  private func quad(_ a: StripRow, _ b: StripRow, _ c: StripRow, _ d: StripRow) -> SumVector {
    bytes.narrow(scale0(a.v0), scale0(b.v0), scale0(c.v0), scale0(d.v0))
  }

  @inline(__always)
  private func pair(_ a: StripRow, _ b: StripRow) -> SumVector {
    bytes.narrow(scale0(a.v0), scale1(a.v1), scale0(b.v0), scale1(b.v1))
  }

  @inline(__always)
  private func four(_ row: StripRow, _ vectors: Int) -> SumVector {
    let third = scale2(row.v2)
    let fourth = vectors > 3 ? scale3(row.v3) : third
    return bytes.narrow(scale0(row.v0), scale1(row.v1), third, fourth)
  }

  /// Writes bytes of as many rows, `vectors` quarters each.
  @inline(__always)
  private func write(
    _ bytes: SumVector, _ strip: QuantizedStrip, to output: UnsafeMutableRawPointer, rows: Int,
    vectors: Int
  ) {
    let quarter = SumVector.scalarCount
    let rowBytes = vectors &* quarter
    guard strip.columns == rowBytes else {
      storeParts(bytes, strip, to: output, rows: rows, rowBytes: rowBytes)
      return
    }
    switch vectors {
    case 1:
      let place = ResultPlace(
        output: output, stride: strip.outputStride, pairStride: 2 &* strip.outputStride,
        width: quarter, scratch: strip.scratch)
      storeQuarters(bytes, count: rows, to: place)
    case 2: storeHalves(bytes, to: output, output + strip.outputStride)
    case 3:
      let place = ResultPlace(
        output: output, stride: quarter, pairStride: 2 &* quarter, width: quarter,
        scratch: strip.scratch)
      storeQuarters(bytes, count: 3, to: place)
    default: store(bytes, to: output)
    }
  }
}

/// Writes bytes of rows that do not fill their vectors.
@inline(__always)
private func storeParts(
  _ bytes: SumVector, _ strip: QuantizedStrip, to output: UnsafeMutableRawPointer, rows: Int,
  rowBytes: Int
) {
  store(bytes, to: strip.scratch)
  for row in 0..<rows {
    copyBytes(
      strip.scratch + row &* rowBytes, to: output + row &* strip.outputStride,
      count: strip.columns)
  }
}
