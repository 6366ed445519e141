import OcellusKernelABI

// A run of a few neighbouring elements leaves most lanes idle, and each of its sums waits for the one
// before: here lanes are runs, as many at once as there are lanes.

private let lanes = FloatVector.scalarCount
private let longest = 63

/// The elements of as many runs as there are lanes, by their place in the run.
struct RunColumns {
  fileprivate let start: UnsafeRawPointer
  let count: Int

  @inline(__always)
  subscript(place: Int) -> FloatVector { loadFloats(start + place &* lanes &* 4) }
}

/// Folds as many runs as fill vectors, where they are short and no whole vectors themselves.
///
/// - Returns: the first run that is left.
@inline(__always)
func foldShortRuns(
  _ arguments: ReductionArguments, _ fold: (_ columns: RunColumns) -> FloatVector
) -> Int {
  let count = arguments.reducedCount
  var index = arguments.outer.lowerBound
  guard count <= longest && count % 16 > 0 && arguments.outer.count >= lanes else { return index }
  withUnsafeTemporaryAllocation(byteCount: count &* lanes &* 4, alignment: 64) { room in
    let columns = room.baseAddress.unsafelyUnwrapped
    while index &+ lanes <= arguments.outer.upperBound {
      transpose4(
        MovementArguments(
          source: arguments.input + index &* arguments.outerStride &* 4, target: columns,
          rowCount: lanes, columnCount: count, sourceStride: arguments.outerStride &* 4,
          targetStride: lanes &* 4))
      store(
        fold(RunColumns(start: columns, count: count)), to: arguments.output + index &* 4)
      index &+= lanes
    }
  }
  return index
}

/// Sums in the order of the elements.
@inline(__always)
func sumInOrder(_ columns: RunColumns, from first: Int = 0) -> FloatVector {
  var sum = FloatVector.zero
  for place in first..<columns.count { sum += columns[place] }
  return sum
}

/// Sums in sixteen parts, which are added by halves, and what is left in order.
@inline(__always)
func sumInSixteenParts(_ columns: RunColumns) -> FloatVector {
  let whole = columns.count & ~15
  guard whole > 0 else { return sumInOrder(columns) }
  @inline(__always)
  func part(_ index: Int) -> FloatVector {
    var sum = FloatVector.zero + columns[index]
    var place = index &+ 16
    while place < whole {
      sum += columns[place]
      place &+= 16
    }
    return sum
  }
  @inline(__always)
  func eighth(_ index: Int) -> FloatVector { part(index) + part(index &+ 8) }
  @inline(__always)
  func quarter(_ index: Int) -> FloatVector { eighth(index) + eighth(index &+ 4) }
  @inline(__always)
  func half(_ index: Int) -> FloatVector { quarter(index) + quarter(index &+ 2) }
  return half(0) + half(1) + sumInOrder(columns, from: whole)
}
