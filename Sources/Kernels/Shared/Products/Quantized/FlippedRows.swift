import OcellusKernelABI

// Rows of bytes whose highest bits are flipped as they are read, or that are taken as they are.

/// What is done with bytes of a row that all lanes share.
protocol RowReading {
  init(_ strip: QuantizedStrip)
  func callAsFunction(_ bytes: SumVector) -> SumVector
}

struct PlainRows: RowReading {
  @inline(__always)
  init(_: QuantizedStrip) {}

  @inline(__always)
  func callAsFunction(_ bytes: SumVector) -> SumVector { bytes }
}

#if PIXEL_LANES
  struct FlippedRows: RowReading {
    private let bits: SumVector

    /// The bits are found in memory, where the compiler knows nothing of them: of a constant for all lanes it would
    /// flip four or eight bytes first, and then need another instruction to bring them into all lanes.
    @inline(__always)
    init(_ strip: QuantizedStrip) { bits = loadSums(FlippedRows.place(in: strip)) }

    @inline(__always)
    func callAsFunction(_ bytes: SumVector) -> SumVector { bytes ^ bits }

    /// Puts the bits where those are that compute the strip.
    @inline(__always)
    static func prepare(_ strip: QuantizedStrip) {
      store(SumVector(repeating: highestBits), to: place(in: strip))
    }

    @inline(__always)
    private static func place(in strip: QuantizedStrip) -> UnsafeMutableRawPointer {
      strip.scratch + sumVectorBytes
    }
  }

  /// Computes a strip of two panels, whose rows are flipped; the last tile may have rows of the one before.
  ///
  /// A function of its own, so that sums need share the registers with nothing else.
  @inline(never)
  func multiplyFlipped<Finish: StripFinish>(
    _ strip: QuantizedStrip, _ settings: Finish.Settings, _: Finish.Type
  ) {
    let finish = Finish(strip, settings, vectors: 2)
    let reading = FlippedRows(strip)
    var row = 0
    while row < strip.rows.count {
      let first = smaller(row, strip.rows.count &- tileRows)
      let places = RowPlaces<TileRows>(strip.rows.offsets + first)
      var tile = StripTile<TileRows, Two>(panel: strip.panel, panelStride: strip.panelStride)
      var weights = strip.panel + scaleBytes
      var place = strip.rows.start
      for _ in 0..<(strip.rows.bytes / 4) {
        let w = StripRow(weights, stride: strip.panelStride, vectors: 2) { loadSums($0) }
        tile.add(place, places, w) { reading(SingleGroup.broadcast($0)) }
        place += 4
        weights += sumVectorBytes
      }
      finish.finish(tile, row: first)
      row &+= tileRows
    }
  }
#endif
