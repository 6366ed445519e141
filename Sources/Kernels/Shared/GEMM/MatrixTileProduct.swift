#if MATRIX_TILES
  import OcellusKernelABI

  // A matrix unit multiplies whole tiles: 16 rows of 64 bytes times 64 bytes of as many columns as
  // a vector has lanes. Its weights are a vector of groups of four bytes per step, like those of
  // `dot`, 16 of which follow each other. `MatrixTiles` is the unit itself, or, for tests on
  // processors without one, a few loops that compute the same.

  extension MatrixTiles {
    /// The number of rows of a tile.
    static var rows: Int { 16 }
    /// The bytes of a row in one tile.
    static var depth: Int { 64 }
    /// The number of rows of a block: two tiles.
    static var blockRows: Int { 2 &* rows }
    /// The number of panels of a block.
    static var blockPanels: Int { 2 }

    /// The distance between the rows of the sums of a block, and their size.
    static var sumsStride: Int { blockPanels &* sumVectorBytes }
    fileprivate static var sumBytes: Int { blockRows &* sumsStride }
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
    let product = MatrixTileProduct<ByteFactors>(
      rows: rows,
      panelStride: quantizedPanelStride(arguments.patches.patchDepth, runs: Int(header.runs)),
      scratch: arguments.scratch)
    let outputBytes = ScaleKind.outputBytes(header.scaleKind)
    product.forEachBlock(
      of: arguments.columns, arguments.packed + PackedHeader.byteCount
    ) { row, column, columns, panel in
      let outputRow = firstRow &+ row
      let tile = SumTile(
        sums: product.sums, sumsStride: MatrixTiles.sumsStride, rows: product.blockRows,
        columns: columns, corrections: corrections.map { $0 + row &* 4 },
        scales: panel + sumVectorBytes, scalesStride: product.panelStride,
        output: arguments.output
          + (outputRow &* arguments.outputStride &+ column) &* outputBytes,
        outputStride: arguments.outputStride &* outputBytes)
      storeTile(
        tile, kind: header.scaleKind, range: arguments.epilogue.range,
        hybrid: arguments.epilogue.hybrid?.advanced(by: outputRow))
    }
  }

  /// The factors that a matrix unit multiplies.
  protocol TileFactors {
    /// The distances from the head of a panel to the initial sums and to the weights.
    static var sumsOffset: Int { get }
    static var weightsOffset: Int { get }
    /// Whether what follows a row in memory may be multiplied with it by weights of zero.
    static var vanishTimesZero: Bool { get }
    static func multiply<Tiles: Literal, Panels: Literal>(
      on tiles: MatrixTiles, _ weights: UnsafeRawPointer, panelStride: Int, _: Tiles.Type,
      _: Panels.Type)
  }

  private enum ByteFactors: TileFactors {
    @inline(__always)
    static var sumsOffset: Int { 0 }
    @inline(__always)
    static var weightsOffset: Int { scaleBytes }
    @inline(__always)
    static var vanishTimesZero: Bool { true }

    @inline(__always)
    static func multiply<Tiles: Literal, Panels: Literal>(
      on tiles: MatrixTiles, _ weights: UnsafeRawPointer, panelStride: Int, _: Tiles.Type,
      _: Panels.Type
    ) { tiles.multiply(weights, panelStride: panelStride, Tiles.self, Panels.self) }
  }

  /// The rows of a slice, which are multiplied block by block.
  struct MatrixTileProduct<Factors: TileFactors> {
    private let rows: IndirectRows
    let panelStride: Int
    /// The sums of a block, `MatrixTiles.sumsStride` bytes between rows.
    let sums: UnsafeMutableRawPointer
    private let copies: UnsafeMutableRawPointer
    private let tiles: MatrixTiles

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

    /// The number of rows of a block.
    @inline(__always)
    var blockRows: Int { smaller(rows.count, MatrixTiles.blockRows) }

    /// The number of rows of the second tile of a block.
    @inline(__always)
    private var lowerRows: Int { larger(blockRows &- MatrixTiles.rows, 0) }

    /// Multiplies all rows by some columns of the panels, and calls `finish` when the sums of a
    /// block are stored.
    @inline(__always)
    func forEachBlock(
      of allColumns: Range<Int>, _ panels: UnsafeRawPointer,
      _ finish: (_ row: Int, _ column: Int, _ columns: Int, _ panel: UnsafeRawPointer) -> Void
    ) {
      // The tiles have the same sizes in all blocks.
      tiles.configure(upperRows: smaller(rows.count, MatrixTiles.rows), lowerRows: lowerRows)
      let lanes = SumVector.scalarCount
      var column = allColumns.lowerBound
      while column < allColumns.upperBound {
        let columns = smaller(allColumns.upperBound &- column, MatrixTiles.blockPanels &* lanes)
        let panel = panels + column / lanes &* panelStride
        var next = 0
        while next < rows.count {
          // The last block overlaps the one before, unless there is only one.
          let row = larger(smaller(next, rows.count &- MatrixTiles.blockRows), 0)
          multiply(row: row, panel: panel, isPair: columns > lanes)
          finish(row, column, columns, panel)
          next &+= MatrixTiles.blockRows
        }
        column &+= columns
      }
      tiles.release()
    }

    /// Stores the sums of a block.
    @inline(__always)
    private func multiply(row: Int, panel: UnsafeRawPointer, isPair: Bool) {
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
      tiles.startSums(
        panel + Factors.sumsOffset, panelStride: panelStride, Tiles.self, Panels.self)
      let upper = TileSource<Factors>(rows, from: row, count: smaller(rows.count, MatrixTiles.rows))
      let lower =
        Tiles.value > 1
        ? TileSource<Factors>(rows, from: row &+ MatrixTiles.rows, count: lowerRows) : upper
      var weights = panel + Factors.weightsOffset
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
          Factors.multiply(
            on: tiles, weights, panelStride: panelStride, Tiles.self, Panels.self)
          offset &+= MatrixTiles.depth
          weights += MatrixTiles.depth / 4 &* sumVectorBytes
        }
        runOffset &+= rows.runStride
      }
      tiles.storeSums(to: sums, stride: MatrixTiles.sumsStride, Tiles.self, Panels.self)
    }
  }

  /// The address of the first row of a tile, and the distance between rows.
  struct TileOperand {
    var start: UnsafeRawPointer
    var stride: Int
  }

  /// The rows of a tile, which are read where they are if the distances between them are equal.
  private struct TileSource<Factors: TileFactors> {
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
      if isRegular && (Factors.vanishTimesZero || bytes == MatrixTiles.depth) {
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
