import OcellusKernelABI

/// Applies a function to an array of floats.
func mapFloats(_ function: UnaryFloatFunction, _ row: ElementRow) {
  switch function {
  case .clamp(let range):
    let low = FloatVector(repeating: range.lowerBound)
    let high = FloatVector(repeating: range.upperBound)
    map(row) { clamp($0, low, high) }
  case .rectify(let slope):
    let slope = FloatVector(repeating: slope)
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { rectify(x, slope: slope) }
    map(row, function)
  case .negate: map(row) { unsafeBitCast(integerBits($0) ^ signBits, to: FloatVector.self) }
  case .magnitude: map(row, magnitude)
  case .square: map(row) { $0 * $0 }
  case .squareRoot: map(row, quickSquareRoot)
  case .reciprocalSquareRoot: map(row, reciprocalSquareRoot)
  case .hardSwish:
    let six = WholeDivisor(6)
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { hardSwish(x, six) }
    map(row, function)
  case .logistic(.fast): map(row, logistic)
  case .logistic(.exact): withRootsOfTwo { mapLogisticAsLibm(row, roots: $0) }
  case .tanh(.fast): map(row, tanh)
  case .tanh(.exact): map(row, tanhAsLibm)
  case .exponential(.fast): map(row, exponential)
  case .exponential(.exact): withRootsOfTwo { mapExponentialAsLibm(row, roots: $0) }
  case .exponentialLinear(.fast): map(row, exponentialLinear)
  case .exponentialLinear(.exact): map(row, exponentialLinearAsLibm)
  case .gaussianLinear: map(row, gaussianLinear)
  case .gaussianErrorLinear: map(row, gaussianErrorLinear)
  case .floor: map(row, roundedDown)
  case .ceiling: map(row, roundedUp)
  case .nearest: map(row, roundedToNearest)
  case .sine: map(row, sine)
  case .cosine: map(row, cosine)
  case .logarithm: map(row, logarithm)
  }
}

// What is passed to this has a name, or is very small: larger closures are called for every vector.
@inline(__always)
func map(_ row: ElementRow, _ function: (FloatVector) -> FloatVector) {
  mapRow(row, inputBytes: 4, outputBytes: 4) { input in
    function(loadFloats(input))
  } store: { result, output in
    store(result, to: output)
  }
}

@inline(never)
private func mapExponentialAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let exponential = ExponentialAsLibm(roots: roots)
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { exponential(x) }
  map(row, function)
}

@inline(__always)
private func exponentialLinear(_ x: FloatVector) -> FloatVector {
  select(isNegative(x), exponentialLessOne(x), x)
}

@inline(__always)
private func exponentialLinearAsLibm(_ x: FloatVector) -> FloatVector {
  select(isNegative(x), exponentialLessOneAsLibm(x), x)
}

@inline(__always)
private func hardSwish(_ x: FloatVector, _ six: WholeDivisor) -> FloatVector {
  let gate = minimum(
    FloatVector(repeating: 6), maximum(x + FloatVector(repeating: 3), FloatVector.zero))
  return six(x * gate)
}

/// The exponential is that of a negative number, which cannot overflow.
@inline(__always)
func logistic(_ x: FloatVector) -> FloatVector {
  let one = FloatVector(repeating: 1)
  let power = exponentialOfNegative(
    unsafeBitCast(integerBits(x) | signBits, to: FloatVector.self))
  // The sign decides: of -0 either way comes to the same.
  let numerator = select(integerBits(x), power, one)
  let isLow = integerBits(x + FloatVector(repeating: 9))
  return numerator / select(isLow, one, one + power)
}

/// `tanh |x| = -m / (2 + m)` where `m = exp(-2|x|) - 1`, with the sign of `x`.
@inline(__always)
func tanh(_ x: FloatVector) -> FloatVector {
  let two = FloatVector(repeating: 2)
  let magnitude = magnitude(x)
  let less = exponentialLessOne(FloatVector.zero - two * magnitude)
  let bits = integerBits(less / (two + less)) & ~signBits
  return unsafeBitCast(bits | (integerBits(x) & signBits), to: FloatVector.self)
}

/// `x · (1 + tanh u) / 2 = x / (1 + exp(-2u))`.
@inline(__always)
private func gaussianLinear(_ x: FloatVector) -> FloatVector {
  // -2u without its factor x.
  let slope = FusedMultiplyAdd.multiplyAdd(
    FloatVector(repeating: -1.595_769_1), x * x, FloatVector(repeating: -0.071_354_814))
  return x / (FloatVector(repeating: 1) + exponential(x * slope))
}

/// `x · Φ(x)`, where the tail of the normal distribution beyond `|x|` is `2^(-1 - P(|x|))`.
///
/// The polynomial has no constant. It makes the tail right within 4e-8, and tails below 1e-5 within some
/// thousandths of themselves (weighted least squares that approach the least greatest error). The reference, which
/// adds one to an error function, is off by as much.
@inline(__always)
private func gaussianErrorLinear(_ x: FloatVector) -> FloatVector {
  let descending = unsafeBitCast(integerBits(x) | signBits, to: FloatVector.self)
  // Here the tail is zero, and the polynomial goes on to fall.
  let a = maximum(FloatVector(repeating: -11.1829), descending)
  var sum = FloatVector(repeating: -1.110_218_1e-6)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -1.926_885_7e-5), sum, a)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -9.563_638_7e-5), sum, a)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 3.384_326_4e-4), sum, a)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 0.007_298_246_5), sum, a)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 0.052_635_431), sum, a)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -0.459_171_03), sum, a)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 1.151_108_4), sum, a)
  let tail = halfOfPowerOfTwo(a, sum)
  return x * select(integerBits(x), tail, FloatVector(repeating: 1) - tail)
}
