// With few columns, most lanes of a panel would be idle. Two or four neighbouring lanes then share
// a column and split its depth (split-K): the first lane takes the first group of `depthPerDot`
// elements, the next lane the next group, and the lanes are added at the end. Sums of integers do
// not depend on the order.

/// Returns the number of lanes that share each column; the columns must fit one panel.
@inline(__always)
func lanesPerColumn(columns: Int, depth: Int) -> Int {
  // Adding the lanes takes as long as a few steps.
  columns &* 4 <= SumVector.scalarCount && quantizedSteps(depth) >= 16 ? 4 : 2
}

/// The elements of a row that one step loads.
protocol RowGroup {
  /// The number of lanes that share a column.
  static var lanes: Int { get }
  /// Loads four bytes for each of these lanes, and repeats them for all columns.
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

/// Adds the lanes that share a column; the result has one lane per column, in order.
@inline(__always)
func sumLanesOfColumns(_ sums: SumVector, split: Int) -> SumVector {
  if split == 1 { return sums }
  return split == 2 ? pairSums(sums) : pairSums(pairSums(sums))
}
