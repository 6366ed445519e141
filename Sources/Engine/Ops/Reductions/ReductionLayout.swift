/// The mapping from elements of a tensor to elements of its reduction along some axes.
///
/// Adjacent axes that are both reduced or both kept are merged to make the inner loops long.
package struct ReductionLayout {
  /// The extents of the merged axes; never empty.
  private var extents: [Int] = []
  /// The strides of the merged axes in the result; 0 for reduced axes.
  private var strides: [Int] = []
  /// The number of elements that are folded into one element of the result.
  package private(set) var reducedCount = 1
  /// The number of elements of the result.
  package private(set) var keptCount = 1
  /// Whether no axis is kept; true for scalars.
  package let reducesAllAxes: Bool

  /// Makes the layout of a reduction of the shape along `axes`.
  ///
  /// The axes must be in range; they count from either end, in any order, and may repeat.
  package init(_ shape: Shape, reducing axes: [Int]) {
    let isReduced = Self.marks(axes, rank: shape.rank)
    reducesAllAxes = isReduced.allSatisfy { $0 }
    var wasReduced: Bool?
    for (extent, isReduced) in zip(shape.dimensions, isReduced) {
      if isReduced { reducedCount *= extent } else { keptCount *= extent }
      if extent == 1 { continue }
      if wasReduced == isReduced {
        extents[extents.count - 1] *= extent
      } else {
        extents.append(extent)
        strides.append(isReduced ? 0 : 1)
      }
      wasReduced = isReduced
    }
    if extents.isEmpty { (extents, strides) = ([1], [0]) }
    var distance = 1
    for axis in extents.indices.reversed() where strides[axis] != 0 {
      strides[axis] = distance
      distance *= extents[axis]
    }
  }

  /// The extents of a reduction along one run of adjacent axes.
  struct AxisRun {
    var outer: Int
    var reduced: Int
    var inner: Int
  }

  /// Successive reductions that are equivalent to this one, starting with the last run of axes.
  var runs: [AxisRun] {
    var runs: [AxisRun] = []
    var kept = 1
    for axis in extents.indices.reversed() {
      if strides[axis] == 0 {
        runs.append(
          AxisRun(
            outer: extents[..<axis].reduce(1, *), reduced: extents[axis], inner: kept))
      } else {
        kept *= extents[axis]
      }
    }
    return runs
  }

  /// Marks the reduced axes; a scalar has none, whatever `axes` says.
  static func marks(_ axes: [Int], rank: Int) -> [Bool] {
    var marks = [Bool](repeating: false, count: rank)
    if rank > 0 {
      for axis in axes { marks[axis < 0 ? axis + rank : axis] = true }
    }
    return marks
  }

  /// Folds every element into its result, in the order of the elements, until the run is stopped.
  ///
  /// `results` has one element for each element of the reduction, with its initial value.
  @inline(__always)
  package func fold<Element, Result>(
    _ elements: UnsafeMutableBufferPointer<Element>,
    into results: UnsafeMutableBufferPointer<Result>, _ control: RunControl?,
    _ combine: (Result, Element) -> Result
  ) {
    guard !elements.isEmpty, let elements = elements.baseAddress,
      let results = results.baseAddress
    else { return }
    let (length, isReduced) = (extents[extents.count - 1], strides[strides.count - 1] == 0)
    forEachItem(ofRows: length, control) { start, target, length in
      // Separate pointers avoid sums of indices, whose overflow checks would prevent vectorization.
      let run = elements + start
      let target = results + target
      if isReduced {
        var result = target[0]
        for offset in 0..<length { result = combine(result, run[offset]) }
        target[0] = result
      } else {
        for offset in 0..<length { target[offset] = combine(target[offset], run[offset]) }
      }
    }
  }

  /// Calls `body` for every run of elements along the last merged axis.
  ///
  /// The arguments are the offsets of the run and of its result, and the length. Long runs are
  /// divided into segments, since one run may hold all elements.
  @inline(__always)
  private func forEachItem(
    ofRows length: Int, _ control: RunControl?,
    _ body: (_ start: Int, _ target: Int, _ length: Int) -> Void
  ) {
    var position = [Int](repeating: 0, count: extents.count)
    var (start, target) = (0, 0)
    let isReduced = strides[strides.count - 1] == 0
    var question = StoppableWork(control)
    while true {
      var offset = 0
      while offset < length {
        let count = min(length &- offset, StoppableWork.workBetweenPolls)
        body(start &+ offset, isReduced ? target : target &+ offset, count)
        offset &+= count
        if question.isOver(after: count) { return }
      }
      start += length
      var axis = extents.count - 2
      while axis >= 0 {
        position[axis] += 1
        target += strides[axis]
        if position[axis] < extents[axis] { break }
        target -= strides[axis] * extents[axis]
        position[axis] = 0
        axis -= 1
      }
      if axis < 0 { return }
    }
  }
}
