import OcellusKernelABI

// Many rows of one panel. With one vector of weights for all rows of a tile, loading is what products wait
// for: so a tile has twice as many rows.

/// Whether there are such tiles.
#if LANE_PRODUCTS
  let hasTallTiles = false
#else
  let hasTallTiles = tileRows > 4
#endif

/// Computes a strip of one panel; the last tile may have rows of the one before.
@inline(__always)
func multiplyPanel<Finish: StripFinish>(
  _ strip: QuantizedStrip, _ settings: Finish.Settings, _ finish: Finish.Type
) {
  #if PIXEL_LANES
    if strip.rows.isFlipped {
      multiplyPanel(strip, settings, finish, FlippedPair.self)
    } else {
      multiplyPanel(strip, settings, finish, PairOfGroups.self)
    }
  #else
    multiplyPanel(strip, settings, finish, SingleGroup.self)
  #endif
}

/// A function of its own, so that sums need share the registers with nothing else.
@inline(never)
private func multiplyPanel<Finish: StripFinish, Group: RowGroup>(
  _ strip: QuantizedStrip, _ settings: Finish.Settings, _: Finish.Type, _: Group.Type
) {
  let finish = Finish(strip, settings, vectors: 1)
  var row = 0
  while row < strip.rows.count {
    let first = smaller(row, strip.rows.count &- 2 &* tileRows)
    var tile = TallTile<Group>(strip, row: first)
    if let corrections = strip.corrections {
      tile.upper.add(corrections + first &* 4)
      tile.lower.add(corrections + (first &+ tileRows) &* 4)
    }
    finish.finish(tile.upper, row: first)
    finish.finish(tile.lower, row: first &+ tileRows)
    row &+= 2 &* tileRows
  }
}

/// The sums of twice `tileRows` rows of one panel.
private struct TallTile<Group: RowGroup> {
  var upper, lower: StripTile<TileRows, One>
}

#if PIXEL_LANES
  // Eight bytes of a row are loaded at a time, and two lanes share a column, as in `DepthSplit`: weights of
  // two steps are two vectors then, of eight columns each, and half as many loads do for as many products.

  extension TallTile {
    @inline(__always)
    init(_ strip: QuantizedStrip, row: Int) {
      typealias PairTile = RowTile<PairArithmetic<Group>, TileRows, Two>
      var upper = PairTile(panel: strip.panel, panelStride: 0)
      var lower = upper
      let upperPlaces = RowPlaces<TileRows>(strip.rows.offsets + row)
      let lowerPlaces = RowPlaces<TileRows>(strip.rows.offsets + (row &+ tileRows))
      var weights = strip.panel + scaleBytes
      var run = strip.rows.start
      let steps = (strip.rows.runBytes &+ 3) / 4
      for _ in 0..<strip.rows.runs {
        var place = run
        for _ in 0..<(steps / 2) {
          let pair = PairTile.Row(loadSums(weights), loadSums(weights + sumVectorBytes))
          upper.add(place, upperPlaces, pair)
          lower.add(place, lowerPlaces, pair)
          place += 8
          weights += 2 &* sumVectorBytes
        }
        if steps % 2 > 0 {
          // What is read behind the row is multiplied with zeros.
          let pair = PairTile.Row(loadSums(weights), SumVector())
          upper.add(place, upperPlaces, pair)
          lower.add(place, lowerPlaces, pair)
          weights += sumVectorBytes
        }
        run += strip.rows.runStride
      }
      self.upper = upper.sums(from: strip.panel)
      self.lower = lower.sums(from: strip.panel)
    }
  }

  /// Eight bytes of a row, flipped.
  private enum FlippedPair: RowGroup {
    @inline(__always)
    static var lanes: Int { 2 }

    @inline(__always)
    static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
      PairOfGroups.broadcast(row) ^ SumVector(repeating: highestBits)
    }
  }

  /// Products of lanes that share a column, which are added up before anything is added to them.
  private enum PairArithmetic<Group: RowGroup>: TileArithmetic {
    @inline(__always)
    static func broadcast(_ row: UnsafeRawPointer) -> SumVector { Group.broadcast(row) }

    @inline(__always)
    static func load(_ address: UnsafeRawPointer) -> SumVector { loadSums(address) }

    @inline(__always)
    static func start(_: UnsafeRawPointer) -> SumVector { SumVector() }

    @inline(__always)
    static func accumulate(_ sum: SumVector, _ row: SumVector, _ weights: SumVector) -> SumVector {
      dot(sum, row, weights)
    }

    @inline(__always)
    static func storeSum(_ sum: SumVector, to address: UnsafeMutableRawPointer) {
      store(sum, to: address)
    }
  }

  extension RowTile where Arithmetic.Vector == SumVector {
    fileprivate typealias Row = TileRow<Arithmetic>

    /// The sums of pairs and of the starting sums of a panel.
    @inline(__always)
    fileprivate func sums(from panel: UnsafeRawPointer) -> StripTile<Rows, One> {
      var tile = StripTile<Rows, One>(panel: panel, panelStride: 0)
      tile.r0.v0 &+= r0.sumsOfPairs
      tile.r1.v0 &+= r1.sumsOfPairs
      tile.r2.v0 &+= r2.sumsOfPairs
      tile.r3.v0 &+= r3.sumsOfPairs
      tile.r4.v0 &+= r4.sumsOfPairs
      tile.r5.v0 &+= r5.sumsOfPairs
      return tile
    }
  }

  extension TileRow where Arithmetic.Vector == SumVector {
    /// The weights of two steps.
    @inline(__always)
    fileprivate init(_ first: SumVector, _ second: SumVector) {
      let pairs = alternatingInParts(first, second)
      v0 = pairs.low
      v1 = pairs.high
      v2 = v0
      v3 = v0
    }

    @inline(__always)
    fileprivate var sumsOfPairs: SumVector { sumsOfAlternatingLanes(v0, v1) }
  }
#else
  extension TallTile {
    @inline(__always)
    init(_ strip: QuantizedStrip, row: Int) {
      upper = StripTile<TileRows, One>(panel: strip.panel, panelStride: strip.panelStride)
      lower = upper
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
#endif
