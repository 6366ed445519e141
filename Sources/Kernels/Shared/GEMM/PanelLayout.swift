/// The number of panels of a GEMV group, which does not depend on the tiles of many rows.
let rowVectors = 4

#if LANE_PRODUCTS
  /// The number of panels that are interleaved in weights for few rows; 1 if none are.
  let interleavedPanels = 1
#else
  let interleavedPanels = rowVectors
#endif

/// The layout of packed panels: one after the other, or interleaved step by step in groups.
///
/// A group that is multiplied together is then one stream of weights.
struct PanelLayout {
  var panels: Int
  /// The number of vectors in a panel.
  var steps: Int
  var vectorBytes: Int
  var sideBySide: Int

  var byteCount: Int { panels &* steps &* vectorBytes }

  /// Returns the offset of a panel's first vector.
  @inline(__always)
  func start(ofPanel panel: Int) -> Int {
    let neighbour = panel % sideBySide
    return ((panel &- neighbour) &* steps &+ neighbour) &* vectorBytes
  }

  /// Returns the distance in bytes between consecutive vectors of a panel.
  @inline(__always)
  func stride(ofPanel panel: Int) -> Int {
    let first = panel &- panel % sideBySide
    return smaller(sideBySide, panels &- first) &* vectorBytes
  }
}
