import OcellusKernelABI

func stepIntegerFilters(_ arguments: IntegerFilterArguments) {
  remember(arguments)
  weigh(arguments)
  addRanks(arguments)
  scale(arguments)
}

/// Shifts all features by one and stores the newest after those of their filter.
@inline(__always)
private func remember(_ arguments: IntegerFilterArguments) {
  let states = UnsafeMutableRawPointer(arguments.states)
  // Each filter's oldest feature overwrites the newest of the filter before, which is replaced
  // next.
  copyBytes(
    UnsafeRawPointer(states + 2), downTo: states,
    count: (arguments.filters &* arguments.memory &- 1) &* 2)
  let scale = FixedPointScale(arguments.featureFactor)
  var newest = states + (arguments.memory &- 1) &* 2
  var filter = 0
  while filter < arguments.filters {
    let sums = UnsafeMutableRawPointer(arguments.sums + filter)
    store(saturated(scale(loadSums(sums))), to: sums)
    for lane in 0..<smaller(SumVector.scalarCount, arguments.filters &- filter) {
      store(Int16(truncatingIfNeeded: loadInt32(sums + lane &* 4)), to: newest)
      newest += arguments.memory &* 2
    }
    filter &+= SumVector.scalarCount
  }
}

/// Copies bytes to a lower address, which may overlap the source.
@inline(__always)
private func copyBytes(
  _ source: UnsafeRawPointer, downTo target: UnsafeMutableRawPointer, count: Int
) {
  var offset = 0
  while offset &+ sumVectorBytes <= count {
    store(loadSums(source + offset), to: target + offset)
    offset &+= sumVectorBytes
  }
  while offset < count {
    store(loadInt16(source + offset), to: target + offset)
    offset &+= 2
  }
}

/// Replaces the sum of every filter by the dot product of its features and weights.
@inline(__always)
private func weigh(_ arguments: IntegerFilterArguments) {
  let memory = arguments.memory
  var states = UnsafePointer(arguments.states)
  var weights = arguments.weights
  for filter in 0..<arguments.filters {
    var sum: Int32 = 0
    var index = 0
    // The optimiser compiles eight multiplications to one instruction.
    while index &+ 8 <= memory {
      for element in index..<index &+ 8 {
        sum &+=
          Int32(truncatingIfNeeded: states[element])
          &* Int32(truncatingIfNeeded: weights[element])
      }
      index &+= 8
    }
    while index < memory {
      sum &+=
        Int32(truncatingIfNeeded: states[index])
        &* Int32(truncatingIfNeeded: weights[index])
      index &+= 1
    }
    arguments.sums[filter] = sum
    states += memory
    weights += memory
  }
}

/// Adds the filters of every unit, in place, and the unit's bias.
@inline(__always)
private func addRanks(_ arguments: IntegerFilterArguments) {
  let sums = arguments.sums
  for unit in 0..<arguments.filters / arguments.rank {
    var sum: Int32 = 0
    for filter in unit &* arguments.rank..<(unit &+ 1) &* arguments.rank { sum &+= sums[filter] }
    if let bias = arguments.bias { sum &+= bias[unit] }
    sums[unit] = sum
  }
}

@inline(__always)
private func scale(_ arguments: IntegerFilterArguments) {
  let scale = FixedPointScale(arguments.outputFactor)
  let zeroPoint = SumVector(repeating: arguments.outputZeroPoint)
  let (low, high) = (SumVector(repeating: -128), SumVector(repeating: 127))
  var unit = 0
  while unit < arguments.filters / arguments.rank {
    let scaled = scale(loadSums(arguments.sums + unit)) &+ zeroPoint
    storeBytes(
      minimum(maximum(scaled, low), high), to: UnsafeMutableRawPointer(arguments.output + unit))
    unit &+= SumVector.scalarCount
  }
}
