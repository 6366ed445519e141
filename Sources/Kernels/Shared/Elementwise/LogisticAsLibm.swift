import OcellusKernelABI

/// Applies the logistic function with the bits that the reference gets with `expf` of the GNU C library.
@inline(never)
func mapLogisticAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticAsLibm(exponential: ExponentialAsLibm(roots: roots))
  let vectorBytes = sumVectorBytes
  var rest = row
  while rest.count >= 4 &* FloatVector.scalarCount {
    let (input, output) = (rest.input, rest.output)
    let results = logistic(
      Quartet(
        loadFloats(input), loadFloats(input + vectorBytes), loadFloats(input + 2 &* vectorBytes),
        loadFloats(input + 3 &* vectorBytes)))
    store(results.a, to: output)
    store(results.b, to: output + vectorBytes)
    store(results.c, to: output + 2 &* vectorBytes)
    store(results.d, to: output + 3 &* vectorBytes)
    rest = ElementRow(
      input: input + 4 &* vectorBytes, output: output + 4 &* vectorBytes,
      count: rest.count &- 4 &* FloatVector.scalarCount)
  }
  if rest.count > 0 { map(rest, logistic.callAsFunction) }
}

/// The steps of the reference, one by one: its cuts, and the rounding of each number in between.
private struct LogisticAsLibm {
  let exponential: ExponentialAsLibm

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector {
    result(x, power: exponential.ofModerate(exponent(x)))
  }

  @inline(__always)
  func callAsFunction(_ x: Quartet<FloatVector>) -> Quartet<FloatVector> {
    let powers = exponential.ofModerate(
      Quartet(exponent(x.a), exponent(x.b), exponent(x.c), exponent(x.d)))
    return Quartet(
      result(x.a, power: powers.a), result(x.b, power: powers.b), result(x.c, power: powers.c),
      result(x.d, power: powers.d))
  }

  /// A number that is low has the exponential itself for a result, and others that of their negative.
  @inline(__always)
  private func exponent(_ x: FloatVector) -> FloatVector {
    unsafeBitCast(integerBits(x) ^ (~isLow(x) & signBits), to: FloatVector.self)
  }

  /// The smaller of one and a large number is one, but NaN stays.
  @inline(__always)
  private func result(_ x: FloatVector, power: FloatVector) -> FloatVector {
    let one = FloatVector(repeating: 1)
    let isHigh = integerBits(FloatVector(repeating: 16.619047) - x)
    return select(
      isHigh, minimum(one, x), select(isLow(x), power, one / (one + power)))
  }

  /// Negative where a number is.
  @inline(__always)
  private func isLow(_ x: FloatVector) -> SumVector {
    integerBits(x + FloatVector(repeating: 9))
  }
}
