import OcellusKernelABI

// Tiles of one panel and many rows. With one vector of weights for all rows, loads limit the
// throughput: a tile therefore has twice as many rows.

/// Whether the instruction set has tall tiles.
#if LANE_PRODUCTS
  let hasDoubleHeightTiles = false
#else
  let hasDoubleHeightTiles = tileRows > 4
#endif

// Not taken: tiles of half the rows (a twentieth slower).
/// Computes a group of one panel; the last tile may overlap the one before, and may have half the
/// rows.
@inline(__always)
func multiplyPanel<Epilogue: PanelGroupEpilogue>(
  _ panelGroup: QuantizedPanelGroup, _ settings: Epilogue.Settings, _ epilogue: Epilogue.Type
) {
  #if TRANSPOSED_OPERANDS
    if panelGroup.rows.isSignToggled {
      return multiplyPanel(panelGroup, settings, epilogue, SignToggledRows.self)
    }
  #endif
  multiplyPanel(panelGroup, settings, epilogue, UnconvertedRows.self)
}

/// Computes all tiles, out of line so that accumulators share the registers with nothing else.
@inline(never)
private func multiplyPanel<Epilogue: PanelGroupEpilogue, Reading: RowConversion>(
  _ panelGroup: QuantizedPanelGroup, _ settings: Epilogue.Settings, _: Epilogue.Type,
  _: Reading.Type
) {
  let epilogue = Epilogue(panelGroup, settings, vectors: 1)
  let count = panelGroup.rows.count
  var row = 0
  while row < count {
    if count &- row > tileRows {
      let first = smaller(row, count &- 2 &* tileRows)
      DoubleHeightTile<Reading, Two>(panelGroup, row: first).write(panelGroup, first, epilogue)
    } else {
      let first = count &- tileRows
      DoubleHeightTile<Reading, One>(panelGroup, row: first).write(panelGroup, first, epilogue)
    }
    row &+= 2 &* tileRows
  }
}

/// The sums of `tileRows` rows of one panel, or of twice as many.
private struct DoubleHeightTile<Reading: RowConversion, Halves: Literal> {
  var upper, lower: QuantizedTile<TileRows, One>

  @inline(__always)
  func write<Epilogue: PanelGroupEpilogue>(
    _ panelGroup: QuantizedPanelGroup, _ first: Int, _ epilogue: Epilogue
  ) {
    var tile = self
    if let corrections = panelGroup.corrections {
      tile.upper.add(corrections + first &* 4)
      if Halves.value > 1 { tile.lower.add(corrections + (first &+ tileRows) &* 4) }
    }
    epilogue.applyEpilogue(tile.upper, row: first)
    if Halves.value > 1 { epilogue.applyEpilogue(tile.lower, row: first &+ tileRows) }
  }
}

#if TRANSPOSED_OPERANDS
  // Eight bytes of a row are loaded at a time, and two lanes share a column, as in `SplitK.swift`.
  // The weights of two steps are then two vectors of eight columns each, and the same products take
  // half as many loads.

  extension DoubleHeightTile {
    @inline(__always)
    init(_ panelGroup: QuantizedPanelGroup, row: Int) {
      typealias PairTile = AccumulatorTile<PairArithmetic, TileRows, Two>
      let reading = Reading(panelGroup)
      func pair(_ row: UnsafeRawPointer) -> SumVector { reading(PairOfGroups.broadcast(row)) }
      var upper = PairTile(panel: panelGroup.panel, panelStride: 0)
      var lower = upper
      let upperOffsets = RowOffsets<TileRows>(panelGroup.rows.offsets + row)
      let lowerOffsets =
        Halves.value > 1
        ? RowOffsets<TileRows>(panelGroup.rows.offsets + (row &+ tileRows)) : upperOffsets
      var weights = panelGroup.panel + scaleBytes
      var run = panelGroup.rows.start
      let steps = (panelGroup.rows.runBytes &+ 3) / 4
      for _ in 0..<panelGroup.rows.runs {
        var address = run
        for _ in 0..<(steps / 2) {
          let w = PairTile.Row(loadSums(weights), loadSums(weights + sumVectorBytes))
          upper.add(address, upperOffsets, w, pair)
          if Halves.value > 1 { lower.add(address, lowerOffsets, w, pair) }
          address += 8
          weights += 2 &* sumVectorBytes
        }
        if steps % 2 > 0 {
          // Bytes past the end of the row are multiplied by zeros.
          let w = PairTile.Row(loadSums(weights), SumVector())
          upper.add(address, upperOffsets, w, pair)
          if Halves.value > 1 { lower.add(address, lowerOffsets, w, pair) }
          weights += sumVectorBytes
        }
        run += panelGroup.rows.runStride
      }
      self.upper = upper.sums(from: panelGroup.panel)
      self.lower = Halves.value > 1 ? lower.sums(from: panelGroup.panel) : self.upper
    }
  }

  /// The accumulation of pairs of lanes that share a column; initial sums are added after the
  /// lanes.
  private enum PairArithmetic: TileArithmetic {
    @inline(__always)
    static func broadcast(_ row: UnsafeRawPointer) -> SumVector { PairOfGroups.broadcast(row) }

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

  extension AccumulatorTile where Arithmetic.Vector == SumVector {
    fileprivate typealias Row = AccumulatorRow<Arithmetic>

    /// Returns the sums of lane pairs plus the initial sums of a panel.
    @inline(__always)
    fileprivate func sums(from panel: UnsafeRawPointer) -> QuantizedTile<Rows, One> {
      var tile = QuantizedTile<Rows, One>(panel: panel, panelStride: 0)
      tile.r0.v0 &+= r0.sumsOfPairs
      tile.r1.v0 &+= r1.sumsOfPairs
      tile.r2.v0 &+= r2.sumsOfPairs
      tile.r3.v0 &+= r3.sumsOfPairs
      tile.r4.v0 &+= r4.sumsOfPairs
      tile.r5.v0 &+= r5.sumsOfPairs
      return tile
    }
  }

  extension AccumulatorRow where Arithmetic.Vector == SumVector {
    /// Creates the weights of two steps.
    @inline(__always)
    fileprivate init(_ first: SumVector, _ second: SumVector) {
      let pairs = interleavedLanesInSegments(first, second)
      v0 = pairs.low
      v1 = pairs.high
      v2 = v0
      v3 = v0
    }

    @inline(__always)
    fileprivate var sumsOfPairs: SumVector { sumsOfInterleavedLanes(v0, v1) }
  }
#else
  extension DoubleHeightTile {
    @inline(__always)
    init(_ panelGroup: QuantizedPanelGroup, row: Int) {
      upper = QuantizedTile<TileRows, One>(
        panel: panelGroup.panel, panelStride: panelGroup.panelStride)
      lower = upper
      let upperOffsets = RowOffsets<TileRows>(panelGroup.rows.offsets + row)
      let lowerOffsets =
        Halves.value > 1
        ? RowOffsets<TileRows>(panelGroup.rows.offsets + (row &+ tileRows)) : upperOffsets
      var weights = panelGroup.panel + scaleBytes
      var run = panelGroup.rows.start
      let steps = (panelGroup.rows.runBytes &+ 3) / 4
      for _ in 0..<panelGroup.rows.runs {
        var address = run
        for _ in 0..<steps {
          let w = QuantizedTileRow(weights, stride: 0, vectors: 1) { loadSums($0) }
          upper.add(address, upperOffsets, w)
          if Halves.value > 1 { lower.add(address, lowerOffsets, w) }
          address += 4
          weights += sumVectorBytes
        }
        run += panelGroup.rows.runStride
      }
    }
  }
#endif
