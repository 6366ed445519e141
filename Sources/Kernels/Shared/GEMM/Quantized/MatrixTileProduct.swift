#if MATRIX_TILES
  import OcellusKernelABI

  // A matrix unit multiplies whole tiles: 16 rows of 64 bytes times 64 bytes of as many columns as
  // a vector has lanes. Its weights are those of `dot`: a vector of groups of four bytes per step,
  // 16 of which follow each other. `MatrixTiles` is the unit itself, or, for tests on processors
  // without one, a few loops that compute the same.

  extension MatrixTiles {
    /// The number of rows of a tile.
    static var rows: Int { 16 }
    /// The bytes of a row in one tile.
    static var depth: Int { 64 }
    /// The number of rows of a block: two tiles.
    static var blockRows: Int { 2 &* rows }
    /// The number of panels of a block.
    static var blockPanels: Int { 2 }

    /// The size of the sums of a block.
    fileprivate static var sumBytes: Int { blockRows &* blockPanels &* sumVectorBytes }
    /// The size of the copied rows of a tile.
    fileprivate static var copyBytes: Int { rows &* depth }
    /// The scratch memory: the sums of a block, two tiles of copied rows, and the memory of the
    /// unit.
    static var scratchByteCount: Int { sumBytes &+ 2 &* copyBytes &+ memoryByteCount }
  }

  /// Multiplies a row slice by all panels, two panels and 32 rows at a time.
  func multiplyMatrixTiles(
    _ arguments: GEMMBlock<QuantizedEpilogue>, _ rows: IndirectRows, from firstRow: Int,
    corrections: UnsafeRawPointer?
  ) {
    let header = PackedHeader(arguments.packed)
    let product = MatrixTileProduct(
      rows: rows,
      panelStride: quantizedPanelStride(arguments.patches.patchDepth, runs: Int(header.runs)),
      scratch: arguments.scratch)
    product.configure()
    let lanes = SumVector.scalarCount
    let outputBytes = ScaleKind.outputBytes(header.scaleKind)
    var column = arguments.columns.lowerBound
    while column < arguments.columns.upperBound {
      let columns = smaller(
        arguments.columns.upperBound &- column, MatrixTiles.blockPanels &* lanes)
      let panel =
        arguments.packed + (PackedHeader.byteCount &+ column / lanes &* product.panelStride)
      var next = 0
      while next < rows.count {
        // The last block overlaps the one before, unless there is only one.
        let row = larger(smaller(next, rows.count &- MatrixTiles.blockRows), 0)
        product.multiply(row: row, panel: panel, isPair: columns > lanes)
        let outputRow = firstRow &+ row
        let tile = SumTile(
          sums: product.sums, sumsStride: MatrixTiles.blockPanels &* sumVectorBytes,
          rows: smaller(rows.count, MatrixTiles.blockRows), columns: columns,
          corrections: corrections.map { $0 + row &* 4 },
          scales: panel + sumVectorBytes, scalesStride: product.panelStride,
          output: arguments.output
            + (outputRow &* arguments.outputStride &+ column) &* outputBytes,
          outputStride: arguments.outputStride &* outputBytes)
        storeTile(
          tile, kind: header.scaleKind, range: arguments.epilogue.range,
          hybrid: arguments.epilogue.hybrid?.advanced(by: outputRow))
        next &+= MatrixTiles.blockRows
      }
      column &+= columns
    }
    product.tiles.release()
  }

  /// The rows of a slice, which are multiplied block by block.
  private struct MatrixTileProduct {
    let rows: IndirectRows
    let panelStride: Int
    let sums, copies: UnsafeMutableRawPointer
    let tiles: MatrixTiles

    @inline(__always)
    init(
      rows: IndirectRows, panelStride: Int, scratch: UnsafeMutableRawPointer
    ) {
      self.rows = rows
      self.panelStride = panelStride
      sums = scratch
      copies = scratch + MatrixTiles.sumBytes
      tiles = MatrixTiles(memory: copies + 2 &* MatrixTiles.copyBytes)
    }

    /// The number of rows of the second tile of a block.
    @inline(__always)
    private var lowerRows: Int {
      larger(smaller(rows.count, MatrixTiles.blockRows) &- MatrixTiles.rows, 0)
    }

    /// Sets the sizes of the tiles, the same for all blocks.
    @inline(__always)
    func configure() {
      tiles.configure(upperRows: smaller(rows.count, MatrixTiles.rows), lowerRows: lowerRows)
    }

    /// Stores the sums of a block.
    @inline(__always)
    func multiply(row: Int, panel: UnsafeRawPointer, isPair: Bool) {
      switch (lowerRows > 0, isPair) {
      case (true, true): multiply(row, panel, Two.self, Two.self)
      case (true, false): multiply(row, panel, Two.self, One.self)
      case (false, true): multiply(row, panel, One.self, Two.self)
      case (false, false): multiply(row, panel, One.self, One.self)
      }
    }

    /// Computes a block of one or two tiles of rows and one or two panels.
    private func multiply<Tiles: Literal, Panels: Literal>(
      _ row: Int, _ panel: UnsafeRawPointer, _: Tiles.Type, _: Panels.Type
    ) {
      tiles.startSums(panel, panelStride: panelStride, Tiles.self, Panels.self)
      let upper = TileSource(rows, from: row, count: smaller(rows.count, MatrixTiles.rows))
      let lower =
        Tiles.value > 1
        ? TileSource(rows, from: row &+ MatrixTiles.rows, count: lowerRows) : upper
      var weights = panel + scaleBytes
      var runOffset = 0
      for _ in 0..<rows.runs {
        var offset = 0
        while offset < rows.runBytes {
          let bytes = smaller(rows.runBytes &- offset, MatrixTiles.depth)
          tiles.loadUpperRows(upper.operand(runOffset &+ offset, bytes, copy: copies))
          if Tiles.value > 1 {
            tiles.loadLowerRows(
              lower.operand(runOffset &+ offset, bytes, copy: copies + MatrixTiles.copyBytes))
          }
          tiles.multiply(weights, panelStride: panelStride, Tiles.self, Panels.self)
          offset &+= MatrixTiles.depth
          weights += MatrixTiles.depth / 4 &* sumVectorBytes
        }
        runOffset &+= rows.runStride
      }
      tiles.storeSums(
        to: sums, stride: MatrixTiles.blockPanels &* sumVectorBytes, Tiles.self, Panels.self)
    }
  }

  /// The address of the first row of a tile, and the distance between rows.
  struct TileOperand {
    var start: UnsafeRawPointer
    var stride: Int
  }

  /// The rows of a tile, which are read where they are if the distances between them are equal.
  private struct TileSource {
    private let rows: IndirectRows
    private let offsets: UnsafePointer<Int32>
    private let count: Int
    private let stride: Int
    private let isRegular: Bool

    @inline(__always)
    init(_ rows: IndirectRows, from row: Int, count: Int) {
      self.rows = rows
      offsets = rows.offsets + row
      self.count = count
      let distance = count > 1 ? offsets[1] &- offsets[0] : 0
      stride = Int(distance)
      var difference: Int32 = 0
      for index in 1..<larger(count, 1) {
        difference |= offsets[index] &- offsets[index &- 1] &- distance
      }
      isRegular = difference == 0
    }

    /// Returns `bytes` bytes of each row from `offset` on, copied if they cannot be read in place.
    @inline(__always)
    func operand(_ offset: Int, _ bytes: Int, copy: UnsafeMutableRawPointer) -> TileOperand {
      let start = rows.start + offset
      if isRegular {
        let first = start + Int(offsets[0])
        let last = start + (Int(offsets[count &- 1]) &+ MatrixTiles.depth)
        guard let end = rows.end, last > end else {
          return TileOperand(start: first, stride: stride)
        }
      }
      for row in 0..<count {
        let target = copy + row &* MatrixTiles.depth
        if bytes < MatrixTiles.depth { fillWithZeros(target, count: MatrixTiles.depth) }
        copyEnd(start + Int(offsets[row]), to: target, count: bytes)
      }
      return TileOperand(start: UnsafeRawPointer(copy), stride: MatrixTiles.depth)
    }
  }
#endif
