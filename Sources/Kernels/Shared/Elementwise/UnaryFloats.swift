import OcellusKernelABI

// Not taken: `-Xllvm -enable-misched=false` for kernels (GELU 1.12 times as fast, float depthwise
// 0.93 to 0.96; 294 layers 0.997).
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
    func function(_ x: FloatVector) -> FloatVector { select(isNotPositive(x), x * slope, x) }
    map(row, function)
  case .negate: map(row, negated)
  case .magnitude: map(row, magnitude)
  case .square: map(row) { $0 * $0 }
  case .power(let exponent):
    let power = IntegralPower(exponent)
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { power(of: x) }
    @inline(__always)
    func functionOfFour(_ x: Quartet) -> Quartet { power(of: x) }
    mapByFours(row, function, functionOfFour)
  case .sign: map(row, sign)
  case .squareRoot: map(row, fastSquareRoot)
  case .reciprocalSquareRoot: mapByFours(row, reciprocalSquareRoot, reciprocalSquareRoot)
  case .hardSwish(.litert):
    mapByFours(row, hardSwishOfXNNPACK, hardSwishOfXNNPACK)
  case .hardSwish:
    let six = IntegerDivisor(6)
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { six(hardSwishTimesSix(x)) }
    @inline(__always)
    func functionOfFour(_ x: Quartet) -> Quartet { six(hardSwishTimesSix(x)) }
    mapByFours(row, function, functionOfFour)
  case .logistic(.fast): mapByFours(row, logistic, logistic)
  case .logistic(.litert(.avx512)): withRootsOfTwo { mapLogisticOfWideXNNPACK(row, roots: $0) }
  case .logistic(.litert(.neon)): mapLogisticOfArmXNNPACK(row)
  case .logistic(.litert): mapByFours(row, logisticOfXNNPACK, logisticOfXNNPACK)
  case .logistic(.exact): withRootsOfTwo { mapLogisticAsLibm(row, roots: $0) }
  case .sigmoidLinear(.fast): mapByFours(row, sigmoidLinear, sigmoidLinear)
  case .sigmoidLinear(.litert(.avx512)):
    withRootsOfTwo { mapSigmoidLinearOfWideXNNPACK(row, roots: $0) }
  case .sigmoidLinear(.litert(.neon)): mapSigmoidLinearOfArmXNNPACK(row)
  case .sigmoidLinear(.litert):
    mapByFours(row, sigmoidLinearOfXNNPACK, sigmoidLinearOfXNNPACK)
  case .sigmoidLinear(.exact): withRootsOfTwo { mapSigmoidLinearAsLibm(row, roots: $0) }
  case .tanh(.fast): mapChains(row, tanh, tanh)
  case .tanh(.litert): mapChains(row, tanhOfXNNPACK, tanhOfXNNPACK)
  case .tanh(.exact): mapByFours(row, tanhAsLibm, tanhAsLibm)
  case .exponential(.litert): mapByFours(row, exponentialOfXNNPACK, exponentialOfXNNPACK)
  case .exponential(.fast):
    @inline(__always)
    func functionOfFour(_ x: Quartet) -> Quartet {
      // AVX-512 scales by any power of two in one instruction.
      FloatVector.scalarCount < 16 ? exponentialOfFour(x) : exponential(x)
    }
    mapByFours(row, exponential, functionOfFour)
  case .exponential(.exact): withRootsOfTwo { mapExponentialAsLibm(row, roots: $0) }
  case .exponentialLinear(.litert(.avx512)):
    mapByFours(row, exponentialLinearOfWideXNNPACK, exponentialLinearOfWideXNNPACK)
  case .exponentialLinear(.litert(.neon)): mapExponentialLinearOfArmXNNPACK(row)
  case .exponentialLinear(.litert):
    mapByFours(row, exponentialLinearOfXNNPACK, exponentialLinearOfXNNPACK)
  case .exponentialLinear(.fast): mapByFours(row, exponentialLinear, exponentialLinear)
  case .exponentialLinear(.exact):
    mapByFours(row, exponentialLinearAsLibm, exponentialLinearAsLibm)
  case .gaussianLinear(.litert):
    mapChains(row, gaussianLinearOfXNNPACK, gaussianLinearOfXNNPACK)
  case .gaussianLinear: mapChains(row, gaussianLinear, gaussianLinear)
  case .gaussianErrorLinear(.litert):
    mapChains(row, gaussianErrorLinearOfXNNPACK, gaussianErrorLinearOfXNNPACK)
  case .gaussianErrorLinear: mapChains(row, gaussianErrorLinear, gaussianErrorLinear)
  case .roundToSteps(let range, let step):
    let steps = FloatSteps(range, step: step)
    @inline(__always)
    func function(_ x: FloatVector) -> FloatVector { steps.nearest(to: x) }
    map(row, function)
  case .floor: map(row, roundedDown)
  case .ceiling: map(row, roundedUp)
  case .nearest: map(row, roundedToNearest)
  case .sine(.litert): mapByFours(row, sineOfXNNPACK, sineOfXNNPACK)
  case .sine: mapByFours(row, sine, sine)
  case .cosine(.litert): mapByFours(row, cosineOfXNNPACK, cosineOfXNNPACK)
  case .cosine: mapByFours(row, cosine, cosine)
  case .logarithm(.litert(.avx512)):
    mapByFours(row, logarithmOfWideXNNPACK, logarithmOfWideXNNPACK)
  case .logarithm(.litert): mapByFours(row, logarithmOfXNNPACK, logarithmOfXNNPACK)
  case .logarithm: mapByFours(row, logarithm, logarithm)
  }
}

/// Sets the sign bit of lanes that are zero or less; that of NaN is arbitrary.
///
/// Zero counts, because its product with a negative or infinite slope is not +0.
@inline(__always)
private func isNotPositive(_ x: FloatVector) -> SumVector {
  let bits = asLanes(x)
  return bits | (bits &- SumVector(repeating: 1))
}

// Applies a function to an array. It should be named or very small: the optimiser does not inline
// larger closures, and calls them for every vector.
@inline(__always)
func map(_ row: ElementRow, _ function: (FloatVector) -> FloatVector) {
  mapRow(row, inputBytes: 4, outputBytes: 4) { input in
    function(loadFloats(input))
  } store: { result, output in
    store(result, to: output)
  }
}

/// Applies a function with many steps, to groups of vectors as long as enough are left.
@inline(__always)
func mapGroups<Group: FloatGroup>(
  _ row: ElementRow, _ function: (FloatVector) -> FloatVector,
  _ functionOfGroup: (Group) -> Group
) {
  let count = Group.vectorCount &* FloatVector.scalarCount
  var rest = row
  while rest.count >= count {
    functionOfGroup(Group(at: rest.input)).write(to: rest.output)
    rest.input += count &* 4
    rest.output += count &* 4
    rest.count &-= count
  }
  mapVectors(rest, function)
}

/// Applies a function with many steps to an array, vector by vector, in a loop that contains it
/// once: code for such functions is long.
///
/// The last elements go through a buffer unless they fill a vector.
@inline(__always)
private func mapVectors(_ row: ElementRow, _ function: (FloatVector) -> FloatVector) {
  let vectorBytes = MemoryLayout<FloatVector>.size
  var vector = FloatVector.zero
  withUnsafeMutableBytes(of: &vector) { bytes in
    let buffer = bytes.baseAddress.unsafelyUnwrapped
    var (input, output) = (row.input, row.output)
    var bytesLeft = row.count &* 4
    while bytesLeft > 0 {
      let isWhole = bytesLeft >= vectorBytes
      if !isWhole { copyEnd(input, to: buffer, count: bytesLeft) }
      store(
        function(loadFloats(isWhole ? input : UnsafeRawPointer(buffer))),
        to: isWhole ? output : buffer)
      if !isWhole { copyEnd(buffer, to: output, count: bytesLeft) }
      input += vectorBytes
      output += vectorBytes
      bytesLeft &-= vectorBytes
    }
  }
}

/// Applies a function with many steps to four vectors at a time.
@inline(__always)
func mapByFours(
  _ row: ElementRow, _ function: (FloatVector) -> FloatVector,
  _ functionOfFour: (Quartet) -> Quartet
) {
  mapGroups(row, function, functionOfFour)
}

// Not taken: eight vectors at once on AVX2 (TANH takes as long).
/// Applies a function with a long dependency chain, to as many vectors as there are registers for.
@inline(__always)
private func mapChains(
  _ row: ElementRow, _ function: (FloatVector) -> FloatVector,
  _ functionOfGroup: (WidestGroup) -> WidestGroup
) {
  mapGroups(row, function, functionOfGroup)
}

@inline(never)
private func mapExponentialAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let exponential = ExponentialAsLibm(roots: roots)
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { exponential(x) }
  @inline(__always)
  func functionOfFour(_ x: Quartet) -> Quartet { exponential(x) }
  mapByFours(row, function, functionOfFour)
}

@inline(__always)
private func exponentialLinear<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x.zip(exponentialLessOne(x)) { select(isNegative($0), $1, $0) }
}

@inline(__always)
private func exponentialLinearAsLibm<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x.zip(exponentialLessOneAsLibm(x)) { select(isNegative($0), $1, $0) }
}

/// Returns -1, 0 or 1; NaN stays.
@inline(__always)
private func sign(_ x: FloatVector) -> FloatVector {
  let zero = FloatVector.zero
  let (isAbove, isBelow) = (asLanes(x .> zero), asLanes(x .< zero))
  let ones =
    (asLanes(FloatVector(repeating: 1)) & isAbove)
    | (asLanes(FloatVector(repeating: -1)) & isBelow)
  // Adding zero makes -0 positive.
  return unsafeBitCast(ones | (asLanes(x + zero) & ~(isAbove | isBelow)), to: FloatVector.self)
}

@inline(__always)
private func hardSwishTimesSix<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let gate = minimum(
    Lanes(repeating: 6), maximum(x + Lanes(repeating: 3), Lanes(repeating: 0)))
  return x * gate
}

// Not taken: refining an estimate instead of dividing, also in `tanh` (as long; Sapphire Rapids).
/// Returns `1 / (1 + exp(-x))`, or `exp(x)` below -9, as the reference does.
@inline(__always)
func logistic<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let one = Lanes(repeating: 1)
  return one / sumWithExponential(x.map { ones(where: $0, isAtLeast: -9) }, ofNegated: x)
}

/// Returns one in lanes that are not less than `bound`, and zero in others.
@inline(__always)
private func ones(where x: FloatVector, isAtLeast bound: Float) -> FloatVector {
  let isAtLeast = asLanes(x .>= FloatVector(repeating: bound))
  return unsafeBitCast(isAtLeast & asLanes(FloatVector(repeating: 1)), to: FloatVector.self)
}

/// Returns `x · logistic(x)`, rounding both factors as two separate operators do.
@inline(__always)
func sigmoidLinear<Lanes: FloatLanes>(_ x: Lanes) -> Lanes { upToFinite(x) * logistic(x) }

/// Replaces infinity by the greatest finite number.
@inline(__always)
func upToFinite<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  minimum(Lanes(repeating: .greatestFiniteMagnitude), x)
}

/// Returns `x · P(x²) / Q(x²)`, with a relative error below 3e-7 and a magnitude of at most one.
///
/// Beyond 8 it stays constant, at one minus 1.8e-7. The rational approximation itself has an error
/// of 6.5e-9 (weighted least squares that approach the minimax solution). An exhaustive test over
/// all floats showed that no rounding makes the result exceed one. Numerator and denominator are
/// independent of each other, unlike the steps of an exponential.
@inline(__always)
func tanh<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let a = minimum(Lanes(repeating: 8), maximum(Lanes(repeating: -8), x))
  let square = a * a
  var over = Lanes(repeating: 1.523_042_7e-8)
  var under = Lanes(repeating: 8.522_450e-7)
  over = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 2.189_466_73e-5), over, square)
  under = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 3.411_292_5e-4), under, square)
  over = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.003_571_598_3), over, square)
  under = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.026_164_444), under, square)
  over = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.134_444_98), over, square)
  under = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.467_778_26), under, square)
  over = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1), over, square)
  under = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1), under, square)
  return a * over / under
}

/// Returns `x · (1 + tanh u) / 2 = x / (1 + exp(-2u))`.
@inline(__always)
private func gaussianLinear<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // 2u divided by x.
  let slope = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 1.595_769_1), x * x, Lanes(repeating: 0.071_354_814))
  return x / sumWithExponential(Lanes(repeating: 1), ofNegated: x * slope)
}

// Not taken: a rational approximation (16 instructions instead of 22, but the error, 1.9e-7 of `x`,
// exceeds the result in the tail).
/// Returns `x · Φ(x)`; the normal distribution's tail beyond `|x|` is `2^(-1 - P(|x|))`.
///
/// The polynomial has no constant term. It was fitted for the least relative error of the result
/// (Lawson's algorithm): 1e-6 from -2.5 on, 3e-6 from -4 on, and below that 3e-10 absolutely.
@inline(__always)
private func gaussianErrorLinear<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // Beyond this the tail is zero.
  let a = maximum(Lanes(repeating: -12.6738), negativeMagnitude(x))
  // Even and odd powers are summed apart, since every step of a sum waits for the one before.
  let square = a * a
  var odd = Lanes(repeating: -1.269_983e-8)
  var even = Lanes(repeating: -4.615_491e-7)
  odd = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -6.820_059_3e-6), odd, square)
  even = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -5.263_070_9e-5), even, square)
  odd = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -1.978_011_1e-4), odd, square)
  even = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1.712_960_7e-4), even, square)
  odd = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.007_160_074_5), odd, square)
  even = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.052_588_668), even, square)
  odd = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -0.459_171_8), odd, square)
  even = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1.151_109_7), even, square)
  let sum = FusedMultiplyAdd.multiplyAdd(even, odd, a)
  let (scale, fraction) = halfOfPowerOfTwo(a, sum)
  // NaN if `x` is minus infinity, as in the reference.
  let negative = minimum(x, a)
  return FusedMultiplyAdd.multiplyAdd(maximum(Lanes(repeating: 0), x), negative * scale, fraction)
}

/// Equidistant numbers to which floats are rounded.
private struct FloatSteps {
  private let low, high, step, inverse: FloatVector

  @inline(__always)
  init(_ range: FloatRange, step: Float) {
    low = FloatVector(repeating: range.lowerBound)
    high = FloatVector(repeating: range.upperBound)
    self.step = FloatVector(repeating: step)
    inverse = FloatVector(repeating: 1 / step)
  }

  @inline(__always)
  func nearest(to x: FloatVector) -> FloatVector {
    // The second operand is returned if the first is NaN.
    let above = minimum(maximum(x, low), high) - low
    return floats(roundedAwayFromZero(above * inverse)) * step + low
  }
}
