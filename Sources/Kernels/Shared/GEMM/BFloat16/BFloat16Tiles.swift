#if MATRIX_TILES
  import OcellusKernelABI

  // GEMM with bfloat16 factors on a matrix unit. Within one instruction, it adds the products of even
  // and of odd elements in two chains of fused multiply-adds, and then their sum to the tile: the
  // order that vectors follow, too.

  private let offsetsByteCount = 16 * MatrixTiles.blockRows * 4

  private enum BFloat16Factors: TileFactors {
    @inline(__always)
    static var sumsOffset: Int { sumVectorBytes }
    @inline(__always)
    static var weightsOffset: Int { 2 &* sumVectorBytes }
    /// What follows a row may be infinite or NaN.
    @inline(__always)
    static var vanishTimesZero: Bool { false }

    @inline(__always)
    static func multiply<Tiles: Literal, Panels: Literal>(
      on tiles: MatrixTiles, _ weights: UnsafeRawPointer, panelStride: Int, _: Tiles.Type,
      _: Panels.Type
    ) { tiles.multiplyBFloat16(weights, panelStride: panelStride, Tiles.self, Panels.self) }
  }

  /// Floats that become bfloat16 numbers when rows are copied.
  private struct BFloat16Elements: PatchElements {
    @inline(__always)
    var inputBytes: Int { 4 }
    @inline(__always)
    var rowBytes: Int { 2 }

    @inline(__always)
    func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int) {
      let lanes = FloatVector.scalarCount
      var index = 0
      while index &+ lanes <= count {
        copyVector(source + index &* 4, to: row + index &* 2)
        index &+= lanes
      }
      guard index < count else { return }
      if count > lanes {
        // The last vector overlaps the one before.
        copyVector(source + (count &- lanes) &* 4, to: row + (count &- lanes) &* 2)
      } else {
        copyNumbers(source, to: row, count: count)
      }
    }

    @inline(__always)
    private func copyVector(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
      let rounded = asLanes(roundedToBFloat16(loadFloats(source)))
      storeInt16s(shiftRight(rounded, SumVector(repeating: 16)), to: row)
    }

    @inline(__always)
    private func copyNumbers(
      _ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int
    ) {
      let rounded = asLanes(roundedToBFloat16(loadLanes(source, count: count)))
      for index in 0..<count {
        store(Int16(truncatingIfNeeded: rounded[index] &>> 16), to: row + index &* 2)
      }
    }

    @inline(__always)
    func copyBlock(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
      copyNumbers(source, to: row, count: 4)
    }

    @inline(__always)
    func copyBlocks(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
      var offset = 0
      repeat {
        copyVector(source + offset, to: row + offset / 2)
        offset &+= sumVectorBytes
      } while offset < 64
    }

    @inline(__always)
    var paddingVector: SumVector { SumVector() }
  }

  /// Multiplies a row slice by all panels.
  private func multiplyTiles(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rows: IndirectRows, from firstRow: Int
  ) {
    let product = MatrixTileProduct<BFloat16Factors>(
      rows: rows, panelStride: PairedPanels(arguments.patches, areForTiles: true).stride,
      scratch: arguments.scratch)
    let low = FloatVector(repeating: arguments.epilogue.minimum)
    let high = FloatVector(repeating: arguments.epilogue.maximum)
    product.forEachBlock(of: arguments.columns, arguments.packed) { row, column, columns, panel in
      let output =
        arguments.results + ((firstRow &+ row) &* arguments.outputStride &+ column)
      for row in 0..<product.blockRows {
        var sums = UnsafeRawPointer(product.sums) + row &* MatrixTiles.sumsStride
        var bias = panel
        var results = UnsafeMutableRawPointer(output + row &* arguments.outputStride)
        var left = columns
        while left > 0 {
          let result = clamp(loadFloats(sums) + loadFloats(bias), low, high)
          if left < FloatVector.scalarCount {
            storeLanes(result, count: left, to: results)
          } else {
            store(result, to: results)
          }
          sums += sumVectorBytes
          bias += product.panelStride
          results += sumVectorBytes
          left &-= FloatVector.scalarCount
        }
      }
    }
  }

  // Scratch: what a block of tiles needs, then the row slice as on vectors.

  /// Windows in padded rows that are copied once (implicit GEMM).
  private enum BFloat16TilesImplicitGEMM: BFloat16TilesStrategy {
    static var name: StaticString { "tiles-implicit-gemm" }

    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
      if problem.patches.isPointwise { return .pointwise }
      return problem.refusalOfTiles ?? (problem.patches.suitsPaddedRows ? nil : .rowsTooLong)
    }

    static func work(_ problem: GEMMProblem) -> KernelWork {
      var work = KernelWork(bfloat16Tiles: problem)
      work.addPaddedRows(problem, elementBytes: 2)
      return work
    }

    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      roundUp(
        MatrixTiles.scratchByteCount + PaddedRows(geometry, as: BFloat16Elements()).byteCount,
        to: 64)
    }

    static func run(_ arguments: GEMMBlock<FloatEpilogue>) {
      let paddedRows = PaddedRows(arguments.patches, as: BFloat16Elements())
      var row = arguments.rows.lowerBound
      while row < arguments.rows.upperBound {
        let rows = paddedRows.copy(
          Range(uncheckedBounds: (row, arguments.rows.upperBound)), from: arguments.input,
          to: arguments.scratch + MatrixTiles.scratchByteCount)
        multiplyTiles(arguments, rows, from: row)
        row &+= rows.count
      }
    }
  }

  /// The im2col strategy.
  private enum BFloat16TilesIm2col: BFloat16TilesStrategy {
    static var name: StaticString { "tiles-im2col" }

    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? { problem.refusalOfTiles }

    static func work(_ problem: GEMMProblem) -> KernelWork {
      var work = KernelWork(bfloat16Tiles: problem)
      work.addGathering(problem, rowBytes: problem.patches.patchDepth &* 2)
      return work
    }

    static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
      let rowBytes = geometry.patchDepth * 2
      let rows = sliceRows(rowBytes: rowBytes, tileRows: MatrixTiles.blockRows)
      return roundUp(
        MatrixTiles.scratchByteCount + offsetsByteCount + rows * rowBytes + patchSlack, to: 64)
    }

    static func run(_ arguments: GEMMBlock<FloatEpilogue>) {
      let geometry = arguments.patches
      let rowBytes = geometry.patchDepth &* 2
      // Offsets have 32 bits.
      let block =
        rowBytes < 1 << 26 ? sliceRows(rowBytes: rowBytes, tileRows: MatrixTiles.blockRows) : 1
      let memory = arguments.scratch + MatrixTiles.scratchByteCount
      let offsets = memory.assumingMemoryBound(to: Int32.self)
      let patches = memory + offsetsByteCount
      for row in 0..<block { offsets[row] = Int32(truncatingIfNeeded: row &* rowBytes) }
      let runBytes = geometry.windowWidth &* geometry.channels &* 2
      var rows = IndirectRows(
        start: UnsafeRawPointer(patches), offsets: UnsafePointer(offsets), count: 0,
        runs: geometry.windowHeight, runStride: runBytes, runBytes: runBytes)
      var row = arguments.rows.lowerBound
      while row < arguments.rows.upperBound {
        rows.count = smaller(block, arguments.rows.upperBound &- row)
        im2col(
          Range(uncheckedBounds: (row, row &+ rows.count)), of: geometry, from: arguments.input,
          to: patches, rowStride: rowBytes, as: BFloat16Elements())
        multiplyTiles(arguments, rows, from: row)
        row &+= rows.count
      }
    }
  }

  private protocol BFloat16TilesStrategy: BFloat16GEMMStrategy {}

  extension BFloat16TilesStrategy {
    static var tileRows: Int { MatrixTiles.blockRows }
    static func panels(_ geometry: PatchGeometry) -> PairedPanels {
      PairedPanels(geometry, areForTiles: true)
    }
  }

  /// Lists the strategies of GEMM with bfloat16 factors that multiply whole tiles.
  func matrixTileGEMMOfBFloat16(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
    list(BFloat16TilesImplicitGEMM.self, add)
    list(BFloat16TilesIm2col.self, add)
  }

  extension GEMMProblem {
    /// The reason why whole tiles do not suit the problem, or `nil`.
    @inline(__always)
    fileprivate var refusalOfTiles: StrategyRefusal? {
      if rows < MatrixTiles.rows { return .fewRows }
      return columns &* 2 <= SumVector.scalarCount ? .fewColumns : nil
    }
  }

  extension KernelWork {
    /// Creates the work of multiplying whole tiles, of which products counts the multiplications.
    @inline(__always)
    fileprivate init(bfloat16Tiles problem: GEMMProblem) {
      let tiles = ceilingQuotient(problem.rows, MatrixTiles.rows)
      let panels = PairedPanels(problem.patches, areForTiles: true)
      self.init(
        loops: Double(
          ceilingQuotient(tiles, 2) &* ceilingQuotient(problem.panels, MatrixTiles.blockPanels)),
        results: Double(problem.rows &* problem.panels),
        products: Double(tiles &* problem.panels &* panels.runs &* panels.steps / pairsPerBlock))
    }
  }
#endif
