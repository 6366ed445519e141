import OcellusKernelABI

/// Applies the logistic function with the bits that the reference gets with `expf` of the GNU C library.
@inline(never)
func mapLogisticAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticAsLibm(exponential: ExponentialAsLibm(roots: roots))
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { logistic(x) }
  @inline(__always)
  func functionOfFour(_ x: Quartet) -> Quartet { logistic(x) }
  mapByFours(row, function, functionOfFour)
}

/// Applies `x` times that, each of the two rounded, as by two nodes.
@inline(never)
func mapSigmoidLinearAsLibm(_ row: ElementRow, roots: UnsafeRawPointer) {
  let logistic = LogisticAsLibm(exponential: ExponentialAsLibm(roots: roots))
  @inline(__always)
  func function(_ x: FloatVector) -> FloatVector { upToFinite(x) * logistic(x) }
  @inline(__always)
  func functionOfFour(_ x: Quartet) -> Quartet { upToFinite(x) * logistic(x) }
  mapByFours(row, function, functionOfFour)
}

/// The steps of the reference, one by one: its cuts, and the rounding of each number in between.
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

  /// A number that is low has the exponential itself for a result, and others that of their negative.
  @inline(__always)
  private func exponent(_ x: FloatVector) -> FloatVector { select(isLow(x), x, negated(x)) }

  /// One divided by one is what numbers that are high have.
  @inline(__always)
  private func result(_ x: FloatVector, _ power: FloatVector) -> FloatVector {
    let one = FloatVector(repeating: 1)
    let isHigh = asLanes(x .> FloatVector(repeating: 16.619047))
    return select(isLow(x), power, one / select(isHigh, one, one + power))
  }

  @inline(__always)
  private func isLow(_ x: FloatVector) -> SumVector { asLanes(x .< FloatVector(repeating: -9)) }
}
