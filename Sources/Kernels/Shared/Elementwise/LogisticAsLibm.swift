import OcellusKernelABI

/// Applies the logistic function, bit-exact with the reference and glibc's `expf`.
@inline(never)
func mapLogisticAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticAsLibm(exponential: ExponentialAsLibm(roots: roots))
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { logistic(x) }
  @inline(__always)
  func functionOfFour(_ x: Quartet) -> Quartet { logistic(x) }
  mapByFours(row, function, functionOfFour)
}

/// Applies `x · logistic(x)`, rounding both factors as two separate operators do.
@inline(never)
func mapSigmoidLinearAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticAsLibm(exponential: ExponentialAsLibm(roots: roots))
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { upToFinite(x) * logistic(x) }
  @inline(__always)
  func functionOfFour(_ x: Quartet) -> Quartet { upToFinite(x) * logistic(x) }
  mapByFours(row, function, functionOfFour)
}

// Not taken: floats in two parts, with doubles only near a tie (1.28 → 1.07 ns in C, but two floats
// of 100,000 got other bits, and a safe margin would have to be proved).
/// The reference's logistic function, with the same cases and intermediate roundings.
private struct LogisticAsLibm {
  let exponential: ExponentialAsLibm

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector {
    result(x, exponential.ofModerate(exponent(x)))
  }

  @inline(__always)
  func callAsFunction(_ x: Quartet) -> Quartet {
    x.zip(exponential.ofModerate(x.map(exponent)), result)
  }

  /// Returns the argument of the exponential: `x` itself for low numbers, else `-x`.
  @inline(__always)
  private func exponent(_ x: FloatVector) -> FloatVector { select(isLow(x), x, negated(x)) }

  /// Returns the logistic function; for high numbers, the quotient is one divided by one.
  @inline(__always)
  private func result(_ x: FloatVector, _ power: FloatVector) -> FloatVector {
    let one = FloatVector(repeating: 1)
    let isHigh = asLanes(x .> FloatVector(repeating: 16.619047))
    return select(isLow(x), power, one / select(isHigh, one, one + power))
  }

  @inline(__always)
  private func isLow(_ x: FloatVector) -> SumVector { asLanes(x .< FloatVector(repeating: -9)) }
}
