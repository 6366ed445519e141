import OcellusKernelABI

// Two ways to load rows of bytes: as they are, or with their sign bits toggled.

/// The conversion of row bytes after they are broadcast to all lanes.
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

    /// Loads the sign bits from memory, where the compiler cannot see that they are constant.
    ///
    /// With a constant it would toggle four or eight bytes before the broadcast, and would then
    /// need another instruction to broadcast them.
    @inline(__always)
    init(_ strip: QuantizedStrip) { bits = loadSums(FlippedRows.place(in: strip)) }

    @inline(__always)
    func callAsFunction(_ bytes: SumVector) -> SumVector { bytes ^ bits }

    /// Stores the sign bits for the tiles of the panel group.
    @inline(__always)
    static func prepare(_ strip: QuantizedStrip) {
      store(SumVector(repeating: highestBits), to: place(in: strip))
    }

    @inline(__always)
    private static func place(in strip: QuantizedStrip) -> UnsafeMutableRawPointer {
      strip.scratch + sumVectorBytes
    }
  }

  /// Computes a group of two panels, toggling the sign bits of rows; the last tile may overlap the
  /// one before.
  ///
  /// The function is kept out of line so that accumulators share the registers with nothing else.
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
