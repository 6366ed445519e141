import OcellusKernelABI

// What strategies of matrix products do, as plans compare it.

extension ProductProblem {
  /// The panels of its columns.
  var panels: Int { panelCount(columns) }
}

extension KernelWork {
  /// The work of multiplying so many rows with the panels of a problem: each step reads a part of the row for every
  /// strip of panels, and multiplies it with all of them.
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

  /// Adds that of copying rows of so many bytes together.
  mutating func addGathering(_ problem: ProductProblem, rowBytes: Int) {
    let pieces = problem.patches.isPointwise ? 1 : problem.patches.windowHeight
    loops += Double(problem.rows &* pieces)
    loads = Double(problem.rows &* pieces &* roundedQuotient(rowBytes / pieces, sumVectorBytes))
  }

  /// Adds that of copying the lines under windows, of elements of so many bytes.
  mutating func addLines(_ problem: ProductProblem, elementBytes: Int) {
    let geometry = problem.patches
    let lines = roundedQuotient(problem.rows, geometry.outputWidth) &* geometry.linesOfStep
    let lineBytes = geometry.reach &* geometry.channels &* elementBytes
    loops += Double(lines)
    loads = Double(lines &* roundedQuotient(lineBytes, sumVectorBytes))
  }
}

/// The whole parts that a number has, and one more for a rest.
@inline(__always)
func roundedQuotient(_ number: Int, _ part: Int) -> Int { (number &+ part &- 1) / part }
