import OcellusKernelABI

/// Finds the index of the first maximum or minimum of bytes.
///
/// In long runs, it finds the extreme first and then its index. In short ones, it compares keys of
/// a byte and its index, of which the smaller index is greater.
@inline(__always)
func findIndex(_ arguments: ReductionArguments, isSigned: Bool, isMinimum: Bool) {
  if arguments.innerCount > 1 {
    return findIndicesAcross(arguments, elementBytes: 1, isMinimum: isMinimum) {
      bytesToLanes($0, isSigned: isSigned)
    }
  }
  let lanes = SumVector.scalarCount, count = arguments.reducedCount
  if count >= 16 &* sumVectorBytes {
    return ByteExtremes(arguments, isSigned: isSigned, isMinimum: isMinimum, from: 0)
      .indicesOfRuns()
  }
  let indexMask: Int32 = 0xFF_FFFF
  // Maps bytes to the range of signed ones; inverted for a minimum.
  let offset: Int32 = isSigned ? 0 : -128
  let signToggle: Int32 = isMinimum ? -1 : 0
  var indices = SumVector()
  for lane in 0..<lanes { indices[lane] = indexMask &- Int32(truncatingIfNeeded: lane) }
  forEachRun(arguments, elementBytes: 1) { run, index in
    var best = SumVector(repeating: Int32.min)
    var position = 0
    while position < count && count >= lanes {
      let start = smaller(position, count &- lanes)
      let bytes = bytesToLanes(run + start, isSigned: isSigned) &+ SumVector(repeating: offset)
      let keys =
        ((bytes ^ SumVector(repeating: signToggle)) &<< 24)
        | (indices &- SumVector(repeating: Int32(truncatingIfNeeded: start)))
      best = maximum(keys, best)
      position &+= lanes
    }
    var result = largestLane(best)
    while position < count {
      let byte = (loadByte(run + position, isSigned: isSigned) &+ offset) ^ signToggle
      let key = (byte &<< 24) | (indexMask &- Int32(truncatingIfNeeded: position))
      result = key > result ? key : result
      position &+= 1
    }
    store(indexMask &- (result & indexMask), to: arguments.output + index &* 4)
  }
}

/// Finds the index of the first maximum or minimum of 32-bit integers.
///
/// Each lane has a candidate of its own.
@inline(__always)
func findIndexOfInteger(_ arguments: ReductionArguments, isMinimum: Bool) {
  if arguments.innerCount > 1 {
    return findIndicesAcross(arguments, elementBytes: 4, isMinimum: isMinimum, loadSums)
  }
  let lanes = SumVector.scalarCount, count = arguments.reducedCount
  let signToggle: Int32 = isMinimum ? -1 : 0
  forEachRun(arguments, elementBytes: 4) { run, index in
    var lanesOfRun = ArgExtremeIntegers(isMinimum: isMinimum)
    var position = 0
    while position &+ lanes <= count {
      lanesOfRun.add(loadSums(run + position &* 4))
      position &+= lanes
    }
    var best = Int32.min, bestIndex = 0
    if position > 0 { (best, bestIndex) = lanesOfRun.first }
    while position < count {
      let element = loadInt32(run + position &* 4) ^ signToggle
      if element > best { (best, bestIndex) = (element, position) }
      position &+= 1
    }
    store(Int32(truncatingIfNeeded: bestIndex), to: arguments.output + index &* 4)
  }
}

/// The order of floats in a search for an extreme; NaN is never better than another number.
protocol FloatExtreme {
  /// The number than which all others are better.
  static var worst: Float { get }
  /// Returns the better of two numbers, and the second one if the first is NaN.
  static func better(_ element: FloatVector, _ best: FloatVector) -> FloatVector
  /// Returns all ones in lanes where the element is better.
  static func isBetter(_ element: FloatVector, than best: FloatVector) -> SumVector
  static func isBetter(_ element: Float, than best: Float) -> Bool
}

enum GreatestFloat: FloatExtreme {
  @inline(__always)
  static var worst: Float { -.infinity }

  @inline(__always)
  static func better(_ element: FloatVector, _ best: FloatVector) -> FloatVector {
    maximum(element, best)
  }

  @inline(__always)
  static func isBetter(_ element: FloatVector, than best: FloatVector) -> SumVector {
    asLanes(element .> best)
  }

  @inline(__always)
  static func isBetter(_ element: Float, than best: Float) -> Bool { element > best }
}

enum LeastFloat: FloatExtreme {
  @inline(__always)
  static var worst: Float { .infinity }

  @inline(__always)
  static func better(_ element: FloatVector, _ best: FloatVector) -> FloatVector {
    minimum(element, best)
  }

  @inline(__always)
  static func isBetter(_ element: FloatVector, than best: FloatVector) -> SumVector {
    asLanes(element .< best)
  }

  @inline(__always)
  static func isBetter(_ element: Float, than best: Float) -> Bool { element < best }
}

/// Finds indices of extremes; of short runs, as many at once as a vector has lanes.
@inline(__always)
func findIndexOfFloat<Wanted: FloatExtreme>(
  _ arguments: ReductionArguments, _: Wanted.Type
) {
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: ArgExtremeFloats<Wanted>(),
      add: { $0.adding(loadFloats($1)) },
      finish: { store(maximum($0.indices, SumVector()), to: $1) })
  }
  let lanes = FloatVector.scalarCount
  let isShort = 4...16 &* lanes ~= arguments.reducedCount
  var single = arguments
  while isShort && single.outer.count >= lanes {
    let first = single.outer.lowerBound
    findIndicesOfRuns(arguments, from: first, Wanted.self)
    single.outer = first &+ lanes..<single.outer.upperBound
  }
  findIndexOfEach(single, Wanted.self)
}

/// Finds the indices of runs from `first` on, one run per lane.
@inline(__always)
private func findIndicesOfRuns<Wanted: FloatExtreme>(
  _ arguments: ReductionArguments, from first: Int, _: Wanted.Type
) {
  let count = arguments.reducedCount, stride = arguments.outerStride &* 4
  let runs = arguments.input + first &* stride
  var best = FloatVector(repeating: Wanted.worst)
  // There is no index before the first number.
  var indices = SumVector(repeating: -1)
  var column = 0
  while column < count {
    // If fewer than four are left, some are repeated: they are not better than themselves.
    let start = smaller(column, count &- 4)
    let elements = transposedRows(runs + start &* 4, apart: stride)
    @inline(__always)
    func update(_ elements: SumVector, _ index: Int) {
      let elements = unsafeBitCast(elements, to: FloatVector.self)
      indices = select(
        Wanted.isBetter(elements, than: best),
        SumVector(repeating: Int32(truncatingIfNeeded: index)), indices)
      best = Wanted.better(elements, best)
    }
    update(elements.0, start)
    update(elements.1, start &+ 1)
    update(elements.2, start &+ 2)
    update(elements.3, start &+ 3)
    column &+= 4
  }
  store(indices, to: arguments.output + first &* 4)
  guard hasNegativeLane(indices) else { return }
  // If nothing was better than the worst, the index is that of the first worst number, or zero.
  for lane in 0..<SumVector.scalarCount where indices[lane] < 0 {
    let run = runs + lane &* stride
    var index = 0
    while index < count && loadFloat(run + index &* 4) != Wanted.worst { index &+= 1 }
    let found = index == count ? 0 : Int32(truncatingIfNeeded: index)
    store(found, to: arguments.output + (first &+ lane) &* 4)
  }
}

/// Finds the index in each run: in one pass through short runs, in two passes through long ones.
///
/// The first of two passes finds the extreme, the second one its index.
@inline(__always)
private func findIndexOfEach<Wanted: FloatExtreme>(
  _ arguments: ReductionArguments, _: Wanted.Type
) {
  let count = arguments.reducedCount, lanes = FloatVector.scalarCount
  forEachRun(arguments, elementBytes: 4) { run, index in
    var best = Wanted.worst
    var bestIndex = 0
    if count >= 2 &* lanes {
      var partials = FloatVector(repeating: best)
      var position = 0
      while position < count {
        partials = Wanted.better(
          loadFloats(run + smaller(position, count &- lanes) &* 4), partials)
        position &+= lanes
      }
      for lane in 0..<lanes where Wanted.isBetter(partials[lane], than: best) {
        best = partials[lane]
      }
      bestIndex = findFirst(best, in: run, count: count)
    } else {
      bestIndex = count
      for position in 0..<count {
        let number = loadFloat(run + position &* 4)
        // The worst number is better than none.
        let isFound =
          Wanted.isBetter(number, than: best) || (bestIndex == count && number == best)
        best = isFound ? number : best
        bestIndex = isFound ? position : bestIndex
      }
    }
    // If all elements are NaN, the index is zero.
    store(
      Int32(truncatingIfNeeded: bestIndex == count ? 0 : bestIndex),
      to: arguments.output + index &* 4)
  }
}

/// Returns the index of the first number equal to `wanted`, or `count`; zeros are equal.
@inline(__always)
private func findFirst(_ wanted: Float, in run: UnsafeRawPointer, count: Int) -> Int {
  let lanes = FloatVector.scalarCount
  let vector = FloatVector(repeating: wanted)
  var index = 0
  while index &+ lanes <= count
    && !hasNegativeLane(asLanes(loadFloats(run + index &* 4) .== vector))
  { index &+= lanes }
  while index < count && loadFloat(run + index &* 4) != wanted { index &+= 1 }
  return index
}

// MARK: Contiguous results

/// Finds indices for contiguous results, one per lane.
@inline(__always)
private func findIndicesAcross(
  _ arguments: ReductionArguments, elementBytes: Int, isMinimum: Bool,
  _ load: (UnsafeRawPointer) -> SumVector
) {
  foldVectors(
    arguments, elementBytes: elementBytes, initial: ArgExtremeIntegers(isMinimum: isMinimum),
    add: { extremes, elements in
      var extremes = extremes
      extremes.add(load(elements))
      return extremes
    }, finish: { store($0.indices, to: $1) })
}

/// The greatest integer of each lane and its index.
private struct ArgExtremeIntegers: BitwiseCopyable {
  var best = SumVector(repeating: .min)
  var indices = SumVector()
  var next = SumVector()
  /// The XOR mask that reverses the order for minima.
  var signToggle: SumVector

  @inline(__always)
  init(isMinimum: Bool) { signToggle = SumVector(repeating: isMinimum ? -1 : 0) }

  @inline(__always)
  mutating func add(_ elements: SumVector) {
    let elements = elements ^ signToggle
    indices = select(asLanes(elements .> best), next, indices)
    best = maximum(elements, best)
    next &+= SumVector(repeating: 1)
  }

  /// The first maximum over all lanes, whose elements were contiguous.
  var first: (element: Int32, index: Int) {
    let lanes = SumVector.scalarCount
    var element = best[0], index = Int(indices[0]) &* lanes
    for lane in 1..<lanes {
      let found = Int(indices[lane]) &* lanes &+ lane
      if best[lane] > element || (best[lane] == element && found < index) {
        (element, index) = (best[lane], found)
      }
    }
    return (element, index)
  }
}

/// The best float of each lane and its index, which is -1 before there was a number.
private struct ArgExtremeFloats<Wanted: FloatExtreme>: BitwiseCopyable {
  var best = FloatVector(repeating: Wanted.worst)
  var indices = SumVector(repeating: -1)
  var next = SumVector()

  @inline(__always)
  func adding(_ elements: FloatVector) -> Self {
    var sum = self
    // The worst number is better than none; an index of -1 has all bits set.
    let isFirst = indices & asLanes(elements .== best)
    let isBetter = Wanted.isBetter(elements, than: best)
    sum.indices = select(isBetter | isFirst, next, indices)
    sum.best = Wanted.better(elements, best)
    sum.next = next &+ SumVector(repeating: 1)
    return sum
  }
}

/// Selects lanes of `a` where the sign bit of the choice is set, else those of `b`.
@inline(__always)
private func select(_ choice: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
  integerBits(
    select(
      choice, unsafeBitCast(a, to: FloatVector.self), unsafeBitCast(b, to: FloatVector.self)))
}
