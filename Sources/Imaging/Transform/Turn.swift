/// An orientation, as one meets it on the way along the stored rows.
struct Turn: Hashable {
  /// Whether stored rows are columns of the upright picture.
  let isTransposed: Bool
  /// Whether pixels follow each other in a stored row against the direction of the upright picture.
  let mirrorsRows: Bool
  /// Whether the stored rows do.
  let reversesRows: Bool

  init(_ orientation: Orientation) {
    isTransposed = orientation.isTransposed
    mirrorsRows =
      isTransposed ? orientation.flipsVertically : orientation.flipsHorizontally
    reversesRows =
      isTransposed ? orientation.flipsHorizontally : orientation.flipsVertically
  }
}
