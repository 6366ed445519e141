/// An orientation, expressed as the order of stored rows and of the pixels in them.
struct StoredRowOrder: Hashable {
  /// Whether stored rows are columns of the upright picture.
  let isTransposed: Bool
  /// Whether the pixels of a stored row are in the reverse order of the upright picture.
  let mirrorsRows: Bool
  /// Whether the stored rows are in the reverse order of the upright picture.
  let reversesRows: Bool

  init(_ orientation: Orientation) {
    isTransposed = orientation.isTransposed
    mirrorsRows =
      isTransposed ? orientation.flipsVertically : orientation.flipsHorizontally
    reversesRows =
      isTransposed ? orientation.flipsHorizontally : orientation.flipsVertically
  }
}
