import OcellusKernelABI

// Contiguous elements of one result are added in sixteen sums if the numerics allow it, or in four
// times as many in a long run. The number does not depend on the vector width, so all instruction
// sets agree.

func sumFloat(_ arguments: ReductionArguments) {
  let divisor = FloatVector(repeating: arguments.divisor)
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: FloatVector.zero,
      add: { $0 + loadFloats($1) }, finish: { store($0 / divisor, to: $1) })
  }
  let first = sumManyRuns(arguments)
  forEachRun(arguments.from(first), elementBytes: 4) { run, index in
    let count = arguments.reducedCount
    let whole = arguments.wholeSixteens
    var sum = sumInOrder(run + whole &* 4, count &- whole)
    if whole > 0 { sum = StridedSums(ofSixteensIn: run, count: whole).total + sum }
    store(sum / arguments.divisor, to: arguments.output + index &* 4)
  }
}

@inline(__always)
private func sumInOrder(_ run: UnsafeRawPointer, _ count: Int) -> Float {
  var sum: Float = 0
  for index in 0..<count { sum += loadFloat(run + index &* 4) }
  return sum
}

/// Sums as many runs at once as there are lanes, one run per lane.
///
/// - Returns: the first run that is left.
private func sumManyRuns(_ arguments: ReductionArguments) -> Int {
  let divisor = FloatVector(repeating: arguments.divisor)
  let lanes = FloatVector.scalarCount, runBytes = arguments.outerStride &* 4
  let count = arguments.reducedCount, whole = arguments.wholeSixteens
  var index = arguments.outer.lowerBound
  guard count >= 4 else { return foldShortRuns(arguments) { sumInOrder($0) / divisor } }
  withUnsafeTemporaryAllocation(byteCount: 16 &* lanes, alignment: 16) { memory in
    let quarters = memory.baseAddress.unsafelyUnwrapped
    while index &+ lanes <= arguments.outer.upperBound {
      let runs = arguments.input + index &* runBytes
      var sum = sumsInOrder(runs, apart: runBytes, whole..<count)
      if whole > 0 {
        for lane in 0..<lanes {
          let sums = StridedSums(ofSixteensIn: runs + lane &* runBytes, count: whole)
          quarters.storeBytes(of: sums.quarter, toByteOffset: lane &* 16, as: SIMD4<Float>.self)
        }
        let columns = transposedRows(quarters, apart: 16)
        sum =
          ((floats(ofBits: columns.0) + floats(ofBits: columns.2))
            + (floats(ofBits: columns.1) + floats(ofBits: columns.3))) + sum
      }
      store(sum / divisor, to: arguments.output + index &* 4)
      index &+= lanes
    }
  }
  return index
}

/// Returns the sums of a range of elements, in order, one run per lane; runs have at least four
/// elements.
@inline(__always)
private func sumsInOrder(
  _ runs: UnsafeRawPointer, apart runBytes: Int, _ range: Range<Int>
) -> FloatVector {
  var sum = FloatVector.zero
  var index = range.lowerBound
  while index &+ 4 <= range.upperBound {
    let columns = transposedRows(runs + index &* 4, apart: runBytes)
    sum += floats(ofBits: columns.0)
    sum += floats(ofBits: columns.1)
    sum += floats(ofBits: columns.2)
    sum += floats(ofBits: columns.3)
    index &+= 4
  }
  let left = range.upperBound &- index
  if left > 0 {
    // The last four elements overlap those before.
    let columns = transposedRows(runs + (range.upperBound &- 4) &* 4, apart: runBytes)
    if left > 2 { sum += floats(ofBits: columns.1) }
    if left > 1 { sum += floats(ofBits: columns.2) }
    sum += floats(ofBits: columns.3)
  }
  return sum
}

/// Reinterprets bits as floats.
@inline(__always)
private func floats(ofBits lanes: SumVector) -> FloatVector {
  unsafeBitCast(lanes, to: FloatVector.self)
}

extension ReductionArguments {
  /// The number of elements of a run that are added in sixteen sums.
  @inline(__always)
  fileprivate var wholeSixteens: Int {
    switch numerics {
    case .fast, .litert: reducedCount & ~15
    case .exact: 0
    }
  }
}
