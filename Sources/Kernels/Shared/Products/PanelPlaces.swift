/// The panels that are multiplied at once with few rows, whatever the registers hold of more rows.
let rowVectors = 4

#if LANE_PRODUCTS
  /// The panels that lie side by side where they meet few rows: those that are read step by step.
  let panelsSideBySide = 1
#else
  let panelsSideBySide = rowVectors
#endif

/// Where the vectors of panels lie: panel behind panel, or those of some panels side by side, step behind step, so
/// that what is multiplied at once is read as one stream.
struct PanelPlaces {
  var panels: Int
  /// The vectors of a panel.
  var steps: Int
  var vectorBytes: Int
  var sideBySide: Int

  var byteCount: Int { panels &* steps &* vectorBytes }

  /// The place of a panel's first vector.
  @inline(__always)
  func start(ofPanel panel: Int) -> Int {
    let neighbour = panel % sideBySide
    return ((panel &- neighbour) &* steps &+ neighbour) &* vectorBytes
  }

  /// The bytes from one of its vectors to the next.
  @inline(__always)
  func stride(ofPanel panel: Int) -> Int {
    let first = panel &- panel % sideBySide
    return smaller(sideBySide, panels &- first) &* vectorBytes
  }
}
