// Where columns are few, most lanes of a panel would have nothing to do. Then two or four
// neighbouring lanes share a column: the first takes the first group of `depthPerDot` elements,
// the next one the next, and their sums are added in the end. Sums of integers do not depend on
// the order.

/// How many lanes share each of so few columns, which lie in one panel.
@inline(__always)
func lanesSharing(columns: Int, depth: Int) -> Int {
  // Adding up lanes takes as long as a few steps.
  columns &* 4 <= SumVector.scalarCount && quantizedSteps(depth) >= 16 ? 4 : 2
}

/// What a step takes of a row.
protocol RowGroup {
  /// The lanes that share a column.
  static var lanes: Int { get }
  /// Reads four bytes for each of these lanes.
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector
}

/// Four bytes for all columns.
enum SingleGroup: RowGroup {
  @inline(__always)
  static var lanes: Int { 1 }

  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
    SumVector(repeating: loadInt32(row))
  }
}

/// Eight bytes, four for each lane of a pair.
enum PairOfGroups: RowGroup {
  @inline(__always)
  static var lanes: Int { 2 }

  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector {
    asLanes(WideVector(repeating: loadInt64(row)))
  }
}

/// Sixteen bytes, four for each of four lanes.
enum FourGroups: RowGroup {
  @inline(__always)
  static var lanes: Int { 4 }

  @inline(__always)
  static func broadcast(_ row: UnsafeRawPointer) -> SumVector { repeated(loadInt32s(row)) }
}

/// Adds up the lanes that share a column; the sums are then in the order of the columns.
@inline(__always)
func addSharedLanes(_ sums: SumVector, split: Int) -> SumVector {
  if split == 1 { return sums }
  return split == 2 ? pairSums(sums) : pairSums(pairSums(sums))
}
