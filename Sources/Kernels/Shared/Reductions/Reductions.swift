import OcellusKernelABI

// Where results lie beside each other (`innerCount` above 1), a vector of them takes the elements
// one after the other, in the reference's order. Where one result takes neighbouring elements,
// sixteen sums do if they may, or four times as many of a long run, whatever the width of a vector, so that
// instruction sets agree.

var reductions: Reductions {
  Reductions(
    sumFloat: sumFloat, productFloat: multiplyFloats,
    maximumFloat: {
      foldFloats($0, { maximum($0, $1) }, { $0 > $1 ? $0 : $1 }, { greatestLane($0) })
    },
    minimumFloat: {
      foldFloats($0, { minimum($0, $1) }, { $0 < $1 ? $0 : $1 }, { leastLane($0) })
    },
    sumUInt8: { sumBytes($0, isSigned: false) }, sumInt8: { sumBytes($0, isSigned: true) },
    maximumUInt8: { findExtremes($0, isSigned: false, isMinimum: false) },
    maximumInt8: { findExtremes($0, isSigned: true, isMinimum: false) },
    minimumUInt8: { findExtremes($0, isSigned: false, isMinimum: true) },
    minimumInt8: { findExtremes($0, isSigned: true, isMinimum: true) },
    placeOfMaximumUInt8: { findPlace($0, isSigned: false, isMinimum: false) },
    placeOfMaximumInt8: { findPlace($0, isSigned: true, isMinimum: false) },
    placeOfMinimumUInt8: { findPlace($0, isSigned: false, isMinimum: true) },
    placeOfMinimumInt8: { findPlace($0, isSigned: true, isMinimum: true) },
    sumInt32: sumIntegers, productInt32: multiplyIntegers, sumInt64: sumWideIntegers,
    maximumInt32: findGreatestInteger, minimumInt32: findLeastInteger,
    placeOfMaximumInt32: { findPlaceOfInteger($0, isMinimum: false) },
    placeOfMinimumInt32: { findPlaceOfInteger($0, isMinimum: true) },
    placeOfMaximumFloat: { arguments in
      findPlaceOfFloat(arguments, from: -.infinity, maximum) { $0 > $1 }
    },
    placeOfMinimumFloat: { arguments in
      findPlaceOfFloat(arguments, from: .infinity, minimum) { $0 < $1 }
    })
}

// MARK: Sums of floats

private func sumFloat(_ arguments: ReductionArguments) {
  let divisor = FloatVector(repeating: arguments.divisor)
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: FloatVector.zero,
      add: { $0 + loadFloats($1) }, finish: { store($0 / divisor, to: $1) })
  }
  let first =
    switch arguments.numerics {
    case .fast: foldShortRuns(arguments) { sumInSixteenParts($0) / divisor }
    case .exact: foldShortRuns(arguments) { sumInOrder($0) / divisor }
    }
  forEachRun(arguments.from(first), elementBytes: 4) { run, index in
    let sum =
      switch arguments.numerics {
      case .fast: sumInSixteenParts(run, arguments.reducedCount)
      case .exact: sumInOrder(run, arguments.reducedCount)
      }
    store(sum / arguments.divisor, to: arguments.output + index &* 4)
  }
}

@inline(__always)
private func sumInOrder(_ run: UnsafeRawPointer, _ count: Int) -> Float {
  var sum: Float = 0
  for index in 0..<count { sum += loadFloat(run + index &* 4) }
  return sum
}

@inline(__always)
private func sumInSixteenParts(_ run: UnsafeRawPointer, _ count: Int) -> Float {
  var parts = SIMD16<Float>.zero
  var index = 0
  if count >= 64 {
    // Sums need not wait for each other.
    var (second, third, fourth) = (parts, parts, parts)
    while index &+ 64 <= count {
      parts += (run + index &* 4).loadUnaligned(as: SIMD16<Float>.self)
      second += (run + (index &+ 16) &* 4).loadUnaligned(as: SIMD16<Float>.self)
      third += (run + (index &+ 32) &* 4).loadUnaligned(as: SIMD16<Float>.self)
      fourth += (run + (index &+ 48) &* 4).loadUnaligned(as: SIMD16<Float>.self)
      index &+= 64
    }
    parts = (parts + second) + (third + fourth)
  }
  while index &+ 16 <= count {
    parts += (run + index &* 4).loadUnaligned(as: SIMD16<Float>.self)
    index &+= 16
  }
  let eight = parts.lowHalf + parts.highHalf
  let four = eight.lowHalf + eight.highHalf
  let two = four.lowHalf + four.highHalf
  return two[0] + two[1] + sumInOrder(run + index &* 4, count &- index)
}

// MARK: Products of floats

/// In the reference's order wherever the results lie: another might overflow on the way.
private func multiplyFloats(_ arguments: ReductionArguments) {
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: FloatVector(repeating: 1),
      add: { $0 * loadFloats($1) }, finish: { store($0, to: $1) })
  }
  forEachRun(arguments, elementBytes: 4) { run, index in
    var product: Float = 1
    for place in 0..<arguments.reducedCount { product *= loadFloat(run + place &* 4) }
    store(product, to: arguments.output + index &* 4)
  }
}

// MARK: Extremes of floats

/// Folds with a function for which neither the order of the elements matters nor how often one is there.
@inline(__always)
private func foldFloats(
  _ arguments: ReductionArguments,
  _ combine: (_ element: FloatVector, _ partial: FloatVector) -> FloatVector,
  _ combineOne: (_ element: Float, _ partial: Float) -> Float,
  _ finish: (_ partials: FloatVector) -> Float
) {
  let initial = FloatVector(repeating: arguments.initial)
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: initial,
      add: { combine(loadFloats($1), $0) }, finish: { store($0, to: $1) })
  }
  let count = arguments.reducedCount, lanes = FloatVector.scalarCount
  if count < lanes {
    let first = foldShortRuns(arguments) { columns in
      var result = initial
      for place in 0..<count { result = combine(columns[place], result) }
      return result
    }
    return forEachRun(arguments.from(first), elementBytes: 4) { run, index in
      var result = arguments.initial
      for position in 0..<count { result = combineOne(loadFloat(run + position &* 4), result) }
      store(result, to: arguments.output + index &* 4)
    }
  }
  forEachRun(arguments, elementBytes: 4) { run, index in
    var partials = initial
    var position = 0
    if count >= 4 &* lanes {
      // Four of them need not wait for each other.
      var four = Quartet(initial, initial, initial, initial)
      while position &+ 4 &* lanes <= count {
        four = Quartet(at: run + position &* 4).zip(four, combine)
        position &+= 4 &* lanes
      }
      partials = combine(combine(four.a, four.b), combine(four.c, four.d))
    }
    while position < count {
      // The last vector has elements of the one before.
      let place = smaller(position, count &- lanes)
      partials = combine(loadFloats(run + place &* 4), partials)
      position &+= lanes
    }
    var result = finish(partials)
    // Zeros of both signs are equal: the first one counts, in whichever lane it was.
    if result == 0 && arguments.initial != 0 { result = firstZero(run, count) ?? result }
    store(result, to: arguments.output + index &* 4)
  }
}

@inline(never)
private func firstZero(_ run: UnsafeRawPointer, _ count: Int) -> Float? {
  for position in 0..<count {
    let element = loadFloat(run + position &* 4)
    if element == 0 { return element }
  }
  return nil
}

/// The least lane, of which none may be NaN.
@inline(__always)
private func leastLane(_ vector: FloatVector) -> Float {
  -greatestLane(unsafeBitCast(integerBits(vector) ^ signBits, to: FloatVector.self))
}

extension ReductionArguments {
  /// What is left from an outer position on.
  @inline(__always)
  fileprivate func from(_ first: Int) -> ReductionArguments {
    var rest = self
    rest.outer = first..<larger(first, outer.upperBound)
    return rest
  }
}

// MARK: Loops

/// Visits the runs of neighbouring elements that make one result each.
@inline(__always)
func forEachRun(
  _ arguments: ReductionArguments, elementBytes: Int,
  _ body: (_ run: UnsafeRawPointer, _ index: Int) -> Void
) {
  for index in arguments.outer {
    body(arguments.input + index &* arguments.outerStride &* elementBytes, index)
  }
}

/// Folds vectors of neighbouring results.
///
/// Elements are read beyond the results where the input goes on.
@inline(__always)
func foldVectors<Partial: BitwiseCopyable>(
  _ arguments: ReductionArguments, elementBytes: Int, resultBytes: Int = 4, initial: Partial,
  add: (_ partial: Partial, _ elements: UnsafeRawPointer) -> Partial,
  finish: (_ partial: Partial, _ target: UnsafeMutableRawPointer) -> Void
) {
  let lanes = FloatVector.scalarCount, innerCount = arguments.innerCount
  let reducedCount = arguments.reducedCount
  let elementCount =
    (arguments.outerCount &- 1) &* arguments.outerStride &+ reducedCount &* innerCount
  let stride = innerCount &* elementBytes
  var staging = initial
  for outer in arguments.outer {
    var inner = 0
    // Several vectors at a time go along the lines of the memory instead of across, and need not wait
    // for each other's sums. The last one overlaps those before.
    @inline(__always)
    func foldColumns(_ count: Int) {
      let last = innerCount &- lanes
      let first = smaller(inner, last), second = smaller(inner &+ lanes, last)
      let third = smaller(inner &+ 2 &* lanes, last), fourth = smaller(inner &+ 3 &* lanes, last)
      var elements = arguments.input + outer &* arguments.outerStride &* elementBytes
      let target = arguments.output + outer &* innerCount &* resultBytes
      var partials = (initial, initial, initial, initial)
      for _ in 0..<reducedCount {
        partials.0 = add(partials.0, elements + first &* elementBytes)
        if count > 1 { partials.1 = add(partials.1, elements + second &* elementBytes) }
        if count > 2 { partials.2 = add(partials.2, elements + third &* elementBytes) }
        if count > 2 { partials.3 = add(partials.3, elements + fourth &* elementBytes) }
        elements += stride
      }
      finish(partials.0, target + first &* resultBytes)
      if count > 1 { finish(partials.1, target + second &* resultBytes) }
      if count > 2 { finish(partials.2, target + third &* resultBytes) }
      if count > 2 { finish(partials.3, target + fourth &* resultBytes) }
      inner &+= count &* lanes
    }
    while innerCount >= lanes && inner < innerCount {
      if innerCount &- inner > 2 &* lanes {
        foldColumns(4)
      } else if innerCount &- inner > lanes {
        foldColumns(2)
      } else {
        foldColumns(1)
      }
    }
    while inner < innerCount {
      let first = outer &* arguments.outerStride &+ inner
      let width = smaller(innerCount &- inner, lanes)
      // The last elements of the input are not followed by a whole vector.
      let room = elementCount &- lanes &- first
      let direct = room < 0 ? 0 : smaller(room / innerCount &+ 1, reducedCount)
      var partial = initial
      var elements = arguments.input + first &* elementBytes
      for _ in 0..<direct {
        partial = add(partial, elements)
        elements += stride
      }
      for _ in direct..<larger(reducedCount, direct) {
        withUnsafeMutableBytes(of: &staging) { bytes in
          let start = bytes.baseAddress.unsafelyUnwrapped
          copyEnd(elements, to: start, count: width &* elementBytes)
          partial = add(partial, UnsafeRawPointer(start))
        }
        elements += stride
      }
      let target = arguments.output + (outer &* innerCount &+ inner) &* resultBytes
      if width == lanes {
        finish(partial, target)
      } else {
        withUnsafeMutableBytes(of: &staging) { bytes in
          let start = bytes.baseAddress.unsafelyUnwrapped
          finish(partial, start)
          copyEnd(start, to: target, count: width &* resultBytes)
        }
      }
      inner &+= lanes
    }
  }
}
