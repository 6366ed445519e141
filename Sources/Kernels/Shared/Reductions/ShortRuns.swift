import OcellusKernelABI

// Runs of few contiguous elements leave most lanes idle, and the additions of each run depend on
// each other. Here each lane is a run.

private let lanes = FloatVector.scalarCount

/// The elements of as many runs as there are lanes, by index in the run.
struct RunColumns {
  fileprivate let start: UnsafeRawPointer
  let count: Int

  @inline(__always)
  subscript(index: Int) -> FloatVector { loadFloats(start + index &* lanes &* 4) }
}

/// Reduces runs shorter than a vector, as many as fill whole vectors.
///
/// - Returns: the first run that is left.
@inline(__always)
func foldShortRuns(
  _ arguments: ReductionArguments, _ fold: (_ columns: RunColumns) -> FloatVector
) -> Int {
  let count = arguments.reducedCount
  var index = arguments.outer.lowerBound
  guard count > 0 && arguments.outer.count >= lanes else { return index }
  withUnsafeTemporaryAllocation(byteCount: count &* lanes &* 4, alignment: 64) { memory in
    let columns = memory.baseAddress.unsafelyUnwrapped
    while index &+ lanes <= arguments.outer.upperBound {
      transpose4(
        CopyArguments(
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

/// Adds elements in order.
@inline(__always)
func sumInOrder(_ columns: RunColumns) -> FloatVector {
  var sum = FloatVector.zero
  for index in 0..<columns.count { sum += columns[index] }
  return sum
}
