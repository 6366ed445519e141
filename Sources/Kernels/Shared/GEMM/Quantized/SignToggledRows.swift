import OcellusKernelABI

// Two ways to load rows of bytes: as they are, or with their sign bits toggled.

/// The conversion of row bytes after they are broadcast to all lanes.
protocol RowConversion {
  init(_ panelGroup: QuantizedPanelGroup)
  func callAsFunction(_ bytes: SumVector) -> SumVector
}

struct UnconvertedRows: RowConversion {
  @inline(__always)
  init(_: QuantizedPanelGroup) {}

  @inline(__always)
  func callAsFunction(_ bytes: SumVector) -> SumVector { bytes }
}

#if TRANSPOSED_OPERANDS
  struct SignToggledRows: RowConversion {
    private let bits: SumVector

    /// Loads the sign bits from memory, where the compiler cannot see that they are constant.
    ///
    /// With a constant it would toggle four or eight bytes before the broadcast, and would then
    /// need another instruction to broadcast them.
    @inline(__always)
    init(_ panelGroup: QuantizedPanelGroup) {
      bits = loadSums(SignToggledRows.address(in: panelGroup))
    }

    @inline(__always)
    func callAsFunction(_ bytes: SumVector) -> SumVector { bytes ^ bits }

    /// Stores the sign bits for the tiles of the panel group.
    @inline(__always)
    static func prepare(_ panelGroup: QuantizedPanelGroup) {
      store(SumVector(repeating: highestBits), to: address(in: panelGroup))
    }

    @inline(__always)
    private static func address(in panelGroup: QuantizedPanelGroup) -> UnsafeMutableRawPointer {
      panelGroup.scratch + sumVectorBytes
    }
  }

  /// Computes a group of two panels, toggling the sign bits of rows; the last tile may overlap the
  /// one before.
  ///
  /// The function is kept out of line so that accumulators share the registers with nothing else.
  @inline(never)
  func multiplySignToggled<Epilogue: PanelGroupEpilogue>(
    _ panelGroup: QuantizedPanelGroup, _ settings: Epilogue.Settings, _: Epilogue.Type
  ) {
    let epilogue = Epilogue(panelGroup, settings, vectors: 2)
    let reading = SignToggledRows(panelGroup)
    var row = 0
    while row < panelGroup.rows.count {
      let first = smaller(row, panelGroup.rows.count &- tileRows)
      let offsets = RowOffsets<TileRows>(panelGroup.rows.offsets + first)
      var tile = QuantizedTile<TileRows, Two>(
        panel: panelGroup.panel, panelStride: panelGroup.panelStride)
      var weights = panelGroup.panel + scaleBytes
      var address = panelGroup.rows.start
      for _ in 0..<(panelGroup.rows.bytes / 4) {
        let w = QuantizedTileRow(weights, stride: panelGroup.panelStride, vectors: 2) {
          loadSums($0)
        }
        tile.add(address, offsets, w) { reading(SingleGroup.broadcast($0)) }
        address += 4
        weights += sumVectorBytes
      }
      epilogue.applyEpilogue(tile, row: first)
      row &+= tileRows
    }
  }
#endif
