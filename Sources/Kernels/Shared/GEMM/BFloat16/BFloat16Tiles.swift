#if MATRIX_TILES
  import OcellusKernelABI

  // GEMM with bfloat16 factors on a matrix unit. Within one instruction, it adds the products of even
  // and of odd elements in two chains of fused multiply-adds, and then their sum to the tile: the
  // order that vectors follow, too.

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

  /// Multiplication of whole tiles on a matrix unit.
  private enum BFloat16Tiles: BFloat16Multiplication {
    static var names: (implicitGEMM: StaticString, im2col: StaticString) {
      ("tiles-implicit-gemm", "tiles-im2col")
    }
    static var tileRows: Int { MatrixTiles.blockRows }
    static var scratchByteCount: Int { MatrixTiles.scratchByteCount }
    @inline(__always)
    static var elements: BFloat16Elements { BFloat16Elements() }

    static func panels(_ geometry: PatchGeometry) -> PairedPanels {
      PairedPanels(geometry, areForTiles: true)
    }

    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
      if problem.rows < MatrixTiles.rows { return .fewRows }
      return problem.columns &* 2 <= SumVector.scalarCount ? .fewColumns : nil
    }

    /// Returns the work of multiplying whole tiles, of which products counts the multiplications.
    static func work(_ problem: GEMMProblem) -> KernelWork {
      let tiles = ceilingQuotient(problem.rows, MatrixTiles.rows)
      let panels = panels(problem.patches)
      return KernelWork(
        loops: Double(
          ceilingQuotient(tiles, 2) &* ceilingQuotient(problem.panels, MatrixTiles.blockPanels)),
        results: Double(problem.rows &* problem.panels),
        products: Double(tiles &* problem.panels &* panels.runs &* panels.steps / pairsPerBlock))
    }

    static func multiply(
      _ arguments: GEMMBlock<FloatEpilogue>, _ rows: IndirectRows, from firstRow: Int
    ) { multiplyTiles(arguments, rows, from: firstRow) }
  }

  /// Lists the strategies of GEMM with bfloat16 factors that multiply whole tiles.
  func matrixTileGEMMOfBFloat16(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
    list(BFloat16Tiles.self, add)
  }
#endif
