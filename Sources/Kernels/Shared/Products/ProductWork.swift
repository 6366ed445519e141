import OcellusKernelABI

// The work of GEMM strategies, by which plans compare them.

extension ProductProblem {
  /// The number of panels.
  var panels: Int { panelCount(columns) }
}

extension KernelWork {
  /// Creates the work of multiplying `rows` rows by the panels of a problem.
  ///
  /// In each step, a panel group loads an element group of the row once and multiplies it by every
  /// panel.
  init(
    tiles rows: Int, _ problem: ProductProblem, steps: Int, tileRows: Int = tileRows,
    tileVectors: Int = tileVectors
  ) {
    let strips = roundedQuotient(problem.panels, tileVectors)
    let blocks = roundedQuotient(rows, blockRows(rowBytes: steps &* 4))
    self.init(
      loops: Double(roundedQuotient(rows, tileRows) &* strips),
      results: Double(rows &* problem.panels),
      products: Double(rows &* steps &* (problem.panels &+ strips)),
      fetches: Double(blocks &* problem.panels &* steps &* sumVectorBytes) / 64)
  }

  /// Adds the work of im2col, for rows of `rowBytes` bytes.
  mutating func addGathering(_ problem: ProductProblem, rowBytes: Int) {
    let pieces = problem.patches.isPointwise ? 1 : problem.patches.windowHeight
    loops += Double(problem.rows &* pieces)
    loads = Double(problem.rows &* pieces &* roundedQuotient(rowBytes / pieces, sumVectorBytes))
  }

  /// Adds the work of copying the padded rows under windows (see `PaddedLines`).
  mutating func addLines(_ problem: ProductProblem, elementBytes: Int) {
    let geometry = problem.patches
    let lines = roundedQuotient(problem.rows, geometry.outputWidth) &* geometry.linesOfStep
    let lineBytes = geometry.reach &* geometry.channels &* elementBytes
    loops += Double(lines)
    loads = Double(lines &* roundedQuotient(lineBytes, sumVectorBytes))
  }
}

/// Returns the quotient, rounded up.
@inline(__always)
func roundedQuotient(_ number: Int, _ part: Int) -> Int { (number &+ part &- 1) / part }
