import OcellusKernelABI

func sumIntegers(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: 0, { $0 &+ $1 }, { $0 &+ $1 })
}

func multiplyIntegers(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: 1, { $0 &* $1 }, { $0 &* $1 })
}

func findMaximumInteger(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: .min, { maximum($0, $1) }, { $0 > $1 ? $0 : $1 })
}

func findMinimumInteger(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: .max, { minimum($0, $1) }, { $0 < $1 ? $0 : $1 })
}

/// Reduces 32-bit integers with an associative and commutative function.
@inline(__always)
private func foldIntegers(
  _ arguments: ReductionArguments, from initial: Int32,
  _ combine: (SumVector, SumVector) -> SumVector, _ combineOne: (Int32, Int32) -> Int32
) {
  let start = SumVector(repeating: initial)
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 4, initial: start, add: { combine($0, loadSums($1)) },
      finish: { store($0, to: $1) })
  }
  let count = arguments.reducedCount, lanes = SumVector.scalarCount
  forEachRun(arguments, elementBytes: 4) { run, index in
    var partials = start
    var position = 0
    while position &+ lanes <= count {
      partials = combine(partials, loadSums(run + position &* 4))
      position &+= lanes
    }
    var result = initial
    for lane in 0..<lanes { result = combineOne(result, partials[lane]) }
    while position < count {
      result = combineOne(result, loadInt32(run + position &* 4))
      position &+= 1
    }
    store(result, to: arguments.output + index &* 4)
  }
}

/// As many 64-bit integers as a vector has floats.
private struct WidePair: BitwiseCopyable {
  var low = WideVector()
  var high = WideVector()

  @inline(__always)
  func adding(_ address: UnsafeRawPointer) -> WidePair {
    WidePair(low: low &+ loadWide(address), high: high &+ loadWide(address + sumVectorBytes))
  }

  @inline(__always)
  func write(to address: UnsafeMutableRawPointer) {
    store(low, to: address)
    store(high, to: address + sumVectorBytes)
  }
}

func sumInt64s(_ arguments: ReductionArguments) {
  if arguments.innerCount > 1 {
    return foldVectors(
      arguments, elementBytes: 8, resultBytes: 8, initial: WidePair(),
      add: { $0.adding($1) }, finish: { $0.write(to: $1) })
  }
  let count = arguments.reducedCount, lanes = SumVector.scalarCount
  forEachRun(arguments, elementBytes: 8) { run, index in
    var partials = WidePair()
    var position = 0
    while position &+ lanes <= count {
      partials = partials.adding(run + position &* 8)
      position &+= lanes
    }
    let both = partials.low &+ partials.high
    var sum = 0 as Int64
    for lane in 0..<WideVector.scalarCount { sum &+= both[lane] }
    while position < count {
      sum &+= loadInt64(run + position &* 8)
      position &+= 1
    }
    store(sum, to: arguments.output + index &* 8)
  }
}
