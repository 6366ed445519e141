import OcellusKernelABI

/// Computes `exp(beta · (x - maximum))`, divided by the sum over the row.
func softmax(_ arguments: SoftmaxArguments) {
  switch arguments.numerics {
  case .fast: fastSoftmax(arguments)
  case .litert(let processor): softmaxOfXNNPACK(arguments, processor)
  case .exact: withRootsOfTwo { exactSoftmax(arguments, ExponentialAsLibm(roots: $0)) }
  }
}

@inline(never)
private func fastSoftmax(_ arguments: SoftmaxArguments) {
  // Exponents are at most zero, unless a negative factor changes their sign.
  if arguments.beta < 0 {
    softmaxRows(arguments, AnyPower.self)
  } else {
    softmaxRows(arguments, PowerUpToOne.self)
  }
}

/// Subtracts from every element the logarithm of the sum of exponentials of its row.
func logSoftmax(_ arguments: SoftmaxArguments) {
  let rowBytes = arguments.rowLength &* 4
  for row in 0..<arguments.rowCount {
    logSoftmaxRow(
      arguments.input + row &* rowBytes, to: arguments.output + row &* rowBytes,
      count: arguments.rowLength)
  }
}

private func logSoftmaxRow(
  _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int
) {
  let greatest = FloatVector(repeating: greatestElement(input, count: count))
  var sums = StridedSums()
  forEachGroup(count: count) { group, index in
    let offset = index &* 4
    if group.isWhole {
      sums.add(
        exponentialOfNegative(loadFloats(input + offset) - greatest), position: group.position)
    } else {
      // Lanes after the end add nothing.
      let powers = exponentialOfNegative(loadLanes(input + offset, count: group.count) - greatest)
      sums.add(firstLanes(powers, count: group.count), position: group.position)
    }
  }
  let logarithm = FloatVector(repeating: logarithm(FloatVector(repeating: sums.total))[0])
  mapRow(
    ElementRow(input: input, output: output, count: count), inputBytes: 4, outputBytes: 4
  ) { address in
    loadFloats(address) - greatest - logarithm
  } store: { result, address in
    store(result, to: address)
  }
}

/// The function `exp(x)` for a range of arguments.
private protocol SoftmaxPower {
  static func power<Lanes: FloatLanes>(of x: Lanes) -> Lanes
}

private enum AnyPower: SoftmaxPower {
  @inline(__always)
  static func power<Lanes: FloatLanes>(of x: Lanes) -> Lanes { exponential(x) }
}

private enum PowerUpToOne: SoftmaxPower {
  @inline(__always)
  static func power<Lanes: FloatLanes>(of x: Lanes) -> Lanes { exponentialOfNegative(x) }
}

@inline(__always)
private func softmaxRows<Power: SoftmaxPower>(_ arguments: SoftmaxArguments, _: Power.Type) {
  let rowBytes = arguments.rowLength &* 4
  let first = softmaxOfShortRows(arguments, .strided) { Power.power(of: $0) }
  for row in first..<arguments.rowCount {
    softmaxRow(
      arguments.input + row &* rowBytes, to: arguments.output + row &* rowBytes,
      count: arguments.rowLength, beta: arguments.beta, Power.self)
  }
}

// Not taken: four vectors at once with AVX-512 (1917 rows of 91 a tenth slower, rows of 384 as
// fast; Zen 4).
@inline(__always)
private func softmaxRow<Power: SoftmaxPower>(
  _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int, beta: Float,
  _: Power.Type
) {
  let greatestElement = greatestElement(input, count: count)
  var sums = StridedSums()
  // Four vectors at once as long as there are enough elements. With 16 lanes they would be 64
  // elements, after which too much is left of rows of a hundred.
  let end = FloatVector.scalarCount < 16 ? count : 0
  let quartets = Quartet(repeating: greatestElement)
  let betas = Quartet(repeating: beta)
  var first = 0
  while first &+ quartetElements <= end {
    let powers = Power.power(of: (Quartet(at: input + first &* 4) - quartets) * betas)
    powers.write(to: output + first &* 4)
    sums.add(powers)
    first &+= quartetElements
  }
  let greatest = FloatVector(repeating: greatestElement)
  let beta = FloatVector(repeating: beta)
  forEachGroup(from: first, count: count) { group, index in
    let offset = index &* 4
    if group.isWhole {
      let power = Power.power(of: (loadFloats(input + offset) - greatest) * beta)
      store(power, to: output + offset)
      sums.add(power, position: group.position)
    } else {
      let power = Power.power(of: (loadLanes(input + offset, count: group.count) - greatest) * beta)
      storeLanes(power, count: group.count, to: output + offset)
      sums.add(firstLanes(power, count: group.count), position: group.position)
    }
  }
  // One division per row instead of one per element.
  let share = FloatVector(repeating: 1 / sums.total)
  mapRow(
    ElementRow(input: output, output: output, count: count), inputBytes: 4, outputBytes: 4
  ) { address in
    loadFloats(address) * share
  } store: { result, address in
    store(result, to: address)
  }
}

/// Returns the greatest element of a row, ignoring NaN.
@inline(__always)
func greatestElement(_ input: UnsafeRawPointer, count: Int) -> Float {
  guard count >= FloatVector.scalarCount else {
    var greatest = -Float.greatestFiniteMagnitude
    for index in 0..<count {
      let element = loadFloat(input + index &* 4)
      if element > greatest { greatest = element }
    }
    return greatest
  }
  // Four accumulators, because each depends on the one before.
  var four = Quartet(repeating: -.greatestFiniteMagnitude)
  var index = 0
  while index &+ quartetElements <= count {
    four = maximum(Quartet(at: input + index &* 4), four)
    index &+= quartetElements
  }
  var greatest = maximum(maximum(four.a, four.b), maximum(four.c, four.d))
  let last = count &- FloatVector.scalarCount
  while index < last {
    greatest = maximum(loadFloats(input + index &* 4), greatest)
    index &+= FloatVector.scalarCount
  }
  greatest = maximum(loadFloats(input + last &* 4), greatest)
  return greatestLane(greatest)
}

/// A whole or partial vector of a row: its position in a group of 16 elements, and its length.
private struct Group {
  var position: Int
  var count: Int

  @inline(__always)
  var isWhole: Bool { count == FloatVector.scalarCount }
}

/// The number of elements of four vectors: a multiple of sixteen.
private let quartetElements = 4 * FloatVector.scalarCount

/// Visits the vectors of a row from a multiple of sixteen on, in groups of sixteen elements.
@inline(__always)
private func forEachGroup(
  from first: Int = 0, count: Int, _ body: (_ group: Group, _ index: Int) -> Void
) {
  let lanes = FloatVector.scalarCount
  var index = first
  while index &+ 16 <= count {
    for position in 0..<16 / lanes {
      body(Group(position: position, count: lanes), index &+ position &* lanes)
    }
    index &+= 16
  }
  var position = 0
  while index < count {
    body(Group(position: position, count: smaller(lanes, count &- index)), index)
    index &+= lanes
    position &+= 1
  }
}
