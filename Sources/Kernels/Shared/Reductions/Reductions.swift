import OcellusKernelABI

// If results are contiguous (`innerCount` above 1), each lane of a vector adds the elements of one
// result, in the reference's order.

var reductions: Reductions {
  Reductions(
    sumFloat: sumFloat, productFloat: multiplyFloats,
    maximumFloat: {
      foldFloats($0, { maximum($0, $1) }, { $0 > $1 ? $0 : $1 }, { greatestLane($0) })
    },
    minimumFloat: {
      foldFloats($0, { minimum($0, $1) }, { $0 < $1 ? $0 : $1 }, { minimumLane($0) })
    },
    sumUInt8: { sumBytes($0, isSigned: false) }, sumInt8: { sumBytes($0, isSigned: true) },
    maximumUInt8: { findExtremes($0, isSigned: false, isMinimum: false) },
    maximumInt8: { findExtremes($0, isSigned: true, isMinimum: false) },
    minimumUInt8: { findExtremes($0, isSigned: false, isMinimum: true) },
    minimumInt8: { findExtremes($0, isSigned: true, isMinimum: true) },
    indexOfMaximumUInt8: { findIndex($0, isSigned: false, isMinimum: false) },
    indexOfMaximumInt8: { findIndex($0, isSigned: true, isMinimum: false) },
    indexOfMinimumUInt8: { findIndex($0, isSigned: false, isMinimum: true) },
    indexOfMinimumInt8: { findIndex($0, isSigned: true, isMinimum: true) },
    sumInt32: sumIntegers, productInt32: multiplyIntegers, sumInt64: sumInt64s,
    maximumInt32: findMaximumInteger, minimumInt32: findMinimumInteger,
    indexOfMaximumInt32: { findIndexOfInteger($0, isMinimum: false) },
    indexOfMinimumInt32: { findIndexOfInteger($0, isMinimum: true) },
    indexOfMaximumFloat: { findIndexOfFloat($0, GreatestFloat.self) },
    indexOfMinimumFloat: { findIndexOfFloat($0, LeastFloat.self) })
}

// MARK: Products of floats

/// Multiplies in the reference's order, because another order might overflow in between.
private func multiplyFloats(_ arguments: ReductionArguments) {
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: FloatVector(repeating: 1),
      add: { $0 * loadFloats($1) }, finish: { store($0, to: $1) })
  }
  forEachRun(arguments, elementBytes: 4) { run, index in
    var product: Float = 1
    for position in 0..<arguments.reducedCount { product *= loadFloat(run + position &* 4) }
    store(product, to: arguments.output + index &* 4)
  }
}

// MARK: Extremes of floats

/// Reduces floats with a function that allows any order of elements, and repeated ones.
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
      for position in 0..<count { result = combine(columns[position], result) }
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
      // Four accumulators are independent of each other.
      var four = Quartet(initial, initial, initial, initial)
      while position &+ 4 &* lanes <= count {
        four = Quartet(at: run + position &* 4).zip(four, combine)
        position &+= 4 &* lanes
      }
      partials = combine(combine(four.a, four.b), combine(four.c, four.d))
    }
    while position < count {
      // The last vector overlaps the one before.
      let start = smaller(position, count &- lanes)
      partials = combine(loadFloats(run + start &* 4), partials)
      position &+= lanes
    }
    var result = finish(partials)
    // Zeros of both signs are equal, but the first one is the result, in whichever lane it was.
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

/// Returns the minimum lane; no lane may be NaN.
@inline(__always)
private func minimumLane(_ vector: FloatVector) -> Float {
  -greatestLane(unsafeBitCast(integerBits(vector) ^ signBits, to: FloatVector.self))
}

extension ReductionArguments {
  /// Returns the arguments for the outer positions from `first` on.
  @inline(__always)
  func from(_ first: Int) -> ReductionArguments {
    var rest = self
    rest.outer = first..<larger(first, outer.upperBound)
    return rest
  }
}

// MARK: Loops

/// Visits the runs of contiguous elements that are reduced to one result each.
@inline(__always)
func forEachRun(
  _ arguments: ReductionArguments, elementBytes: Int,
  _ body: (_ run: UnsafeRawPointer, _ index: Int) -> Void
) {
  for index in arguments.outer {
    body(arguments.input + index &* arguments.outerStride &* elementBytes, index)
  }
}

/// Reduces to vectors of contiguous results.
///
/// It reads elements beyond the results unless the input ends there.
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
    // Several vectors at a time read memory along its rows instead of across, and their sums are
    // independent of each other. The last vector overlaps those before.
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
      // The last elements of the input cannot be read as whole vectors.
      let lastOffset = elementCount &- lanes &- first
      let direct = lastOffset < 0 ? 0 : smaller(lastOffset / innerCount &+ 1, reducedCount)
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
