import OcellusKernelABI

// The work of GEMM strategies, by which plans compare them.

extension GEMMProblem {
  /// The number of panels.
  var panels: Int { panelCount(columns) }
}

extension KernelWork {
  /// Creates the work of multiplying `rows` rows by the panels of a problem.
  ///
  /// In each step, a panel group loads an element group of the row once and multiplies it by every
  /// panel.
  init(
    tiles rows: Int, _ problem: GEMMProblem, steps: Int, tileRows: Int = tileRows,
    tileVectors: Int = tileVectors
  ) {
    #if MATRIX_TILES
      self.init(matrixTiles: problem, steps: steps)
    #else
      self.init(vectors: problem, rows, steps: steps, tileRows: tileRows, tileVectors: tileVectors)
    #endif
  }

  #if MATRIX_TILES
    /// Creates the work of multiplying whole tiles, of which products counts the multiplications.
    private init(matrixTiles problem: GEMMProblem, steps: Int) {
      let tiles = ceilingQuotient(problem.rows, MatrixTiles.rows)
      let panelGroups = ceilingQuotient(problem.panels, MatrixTiles.blockPanels)
      self.init(
        loops: Double(ceilingQuotient(tiles, 2) &* panelGroups),
        results: Double(problem.rows &* problem.panels),
        products: Double(tiles &* problem.panels &* ceilingQuotient(steps &* 4, MatrixTiles.depth)))
    }
  #endif

  private init(
    vectors problem: GEMMProblem, _ rows: Int, steps: Int, tileRows: Int, tileVectors: Int
  ) {
    let panelGroups = ceilingQuotient(problem.panels, tileVectors)
    let blocks = ceilingQuotient(rows, sliceRows(rowBytes: steps &* 4))
    self.init(
      loops: Double(ceilingQuotient(rows, tileRows) &* panelGroups),
      results: Double(rows &* problem.panels),
      products: Double(rows &* steps &* (problem.panels &+ panelGroups)),
      fetches: Double(blocks &* problem.panels &* steps &* sumVectorBytes) / 64)
  }

  /// Adds the work of im2col, for rows of `rowBytes` bytes.
  mutating func addGathering(_ problem: GEMMProblem, rowBytes: Int) {
    let runs = problem.patches.isPointwise ? 1 : problem.patches.windowHeight
    loops += Double(problem.rows &* runs)
    loads = Double(problem.rows &* runs &* ceilingQuotient(rowBytes / runs, sumVectorBytes))
  }

  /// Adds the work of copying the padded rows under windows (see `PaddedRows`).
  mutating func addPaddedRows(_ problem: GEMMProblem, elementBytes: Int) {
    let geometry = problem.patches
    let inputRows =
      ceilingQuotient(problem.rows, geometry.outputWidth) &* geometry.inputRowsPerOutputRow
    let inputRowBytes = geometry.reach &* geometry.channels &* elementBytes
    loops += Double(inputRows)
    loads = Double(inputRows &* ceilingQuotient(inputRowBytes, sumVectorBytes))
  }
}

/// Returns the quotient, rounded up.
@inline(__always)
func ceilingQuotient(_ number: Int, _ divisor: Int) -> Int { (number &+ divisor &- 1) / divisor }
