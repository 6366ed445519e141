import OcellusKernelABI

func sumIntegers(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: 0, { $0 &+ $1 }, { $0 &+ $1 })
}

func findGreatestInteger(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: .min, { maximum($0, $1) }, { $0 > $1 ? $0 : $1 })
}

func findLeastInteger(_ arguments: ReductionArguments) {
  foldIntegers(arguments, from: .max, { minimum($0, $1) }, { $0 < $1 ? $0 : $1 })
}

/// Folds integers of 32 bits with a function for which their order does not matter.
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
