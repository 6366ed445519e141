import OcellusKernelABI

// Many rows of bytes times up to `tileVectors` panels, whose sums stay in registers until they are bytes again.

/// Computes a strip of up to `tileVectors` panels.
@inline(__always)
func multiplyStrip<Scale: VectorScale>(
  _ strip: QuantizedStrip, _ range: QuantizedRange, _ scale: Scale.Type, upToVectors vectors: Int
) {
  switch vectors {
  case 1 where hasTallTiles && strip.rows.count >= 8 &* tileRows && strip.rows.bytes >= 64:
    multiplyPanel(strip, range, scale)
  case 1: multiplyStrip(strip, range, ByteFinish<Scale>.self, One.self)
  case 2: multiplyStrip(strip, range, ByteFinish<Scale>.self, Two.self)
  case 3 where tileVectors > 2: multiplyStrip(strip, range, ByteFinish<Scale>.self, Three.self)
  case 4 where tileVectors > 3: multiplyStrip(strip, range, ByteFinish<Scale>.self, Four.self)
  default: break
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
  let finish = ByteFinish<Scale>(strip, range, vectors: 1)
  var row = 0
  while row < strip.rows.count {
    let first = smaller(row, strip.rows.count &- 2 &* tileRows)
    var tile = TallTile(strip)
    tile.addProducts(strip, row: first)
    if let corrections = strip.corrections {
      tile.upper.add(corrections + first &* 4)
      tile.lower.add(corrections + (first &+ tileRows) &* 4)
    }
    finish.finish(tile, row: first)
    row &+= 2 &* tileRows
  }
}

/// The sums of twice `tileRows` rows of one panel.
private struct TallTile {
  var upper, lower: StripTile<TileRows, One>

  @inline(__always)
  init(_ strip: QuantizedStrip) {
    upper = StripTile<TileRows, One>(panel: strip.panel, panelStride: strip.panelStride)
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

/// Turns the sums of up to four vectors of columns into bytes.
private struct ByteFinish<Scale: VectorScale>: StripFinish {
  private let strip: QuantizedStrip
  private let scale0, scale1, scale2, scale3: Scale
  private let bytes: ByteRange

  @inline(__always)
  init(_ strip: QuantizedStrip, _ range: QuantizedRange, vectors: Int) {
    self.strip = strip
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
  func finish<Rows: Literal, Vectors: Literal>(
    _ tile: StripTile<Rows, Vectors>, row: Int
  ) {
    let (rows, vectors) = (Rows.value, Vectors.value)
    let output = strip.output + row &* strip.outputStride
    let stride = strip.outputStride
    switch vectors {
    case 1:
      // In the place of rows that a tile does not have others are computed again, and not stored.
      let isLow = rows < 4
      write(
        quad(tile.r0, tile.r1, isLow ? tile.r0 : tile.r2, isLow ? tile.r1 : tile.r3),
        to: output, rows: smaller(rows, 4), vectors: 1)
      guard rows > 4 else { return }
      let isHigh = rows > 6
      write(
        quad(tile.r4, tile.r5, isHigh ? tile.r6 : tile.r4, isHigh ? tile.r7 : tile.r5),
        to: output + 4 &* stride, rows: rows &- 4, vectors: 1)
    case 2:
      write(pair(tile.r0, tile.r1), to: output, rows: 2, vectors: 2)
      guard rows > 2 else { return }
      write(pair(tile.r2, tile.r3), to: output + 2 &* stride, rows: 2, vectors: 2)
      guard rows > 4 else { return }
      write(pair(tile.r4, tile.r5), to: output + 4 &* stride, rows: 2, vectors: 2)
      guard rows > 6 else { return }
      write(pair(tile.r6, tile.r7), to: output + 6 &* stride, rows: 2, vectors: 2)
    default:
      write(four(tile.r0, vectors), to: output, rows: 1, vectors: vectors)
      write(four(tile.r1, vectors), to: output + stride, rows: 1, vectors: vectors)
      guard rows > 2 else { return }
      write(four(tile.r2, vectors), to: output + 2 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r3, vectors), to: output + 3 &* stride, rows: 1, vectors: vectors)
      guard rows > 4 else { return }
      write(four(tile.r4, vectors), to: output + 4 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r5, vectors), to: output + 5 &* stride, rows: 1, vectors: vectors)
      guard rows > 6 else { return }
      write(four(tile.r6, vectors), to: output + 6 &* stride, rows: 1, vectors: vectors)
      write(four(tile.r7, vectors), to: output + 7 &* stride, rows: 1, vectors: vectors)
    }
  }

  /// Stores twice `tileRows` rows of one panel, four at a time.
  @inline(__always)
  func finish(_ tile: TallTile, row: Int) {
    let (upper, lower) = (tile.upper, tile.lower)
    let output = strip.output + row &* strip.outputStride
    let stride = strip.outputStride
    write(quad(upper.r0, upper.r1, upper.r2, upper.r3), to: output, rows: 4, vectors: 1)
    write(
      quad(upper.r4, upper.r5, lower.r0, lower.r1), to: output + 4 &* stride, rows: 4,
      vectors: 1)
    write(
      quad(lower.r2, lower.r3, lower.r4, lower.r5), to: output + 8 &* stride, rows: 4,
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
    _ bytes: SumVector, to output: UnsafeMutableRawPointer, rows: Int, vectors: Int
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
