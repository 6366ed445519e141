// Square roots and their reciprocals, correctly rounded as by the processor's own instructions.
// With hardware estimates, a few fused multiply-adds reach exact results in about two thirds of the
// time of a square root and a division.

#if ROOT_ESTIMATES
  /// Computes the bits of `squareRoot` in less time.
  @inline(__always)
  func fastSquareRoot(_ x: FloatVector) -> FloatVector {
    if areUnusual(x) { return squareRoot(x) }
    return refinedRoot(x).root
  }

  // Not taken: dividing all four vectors, with one root by the divider (4.1 instead of 5.4 cycles a
  // vector on Zen 5, in C; slower where a division takes ten cycles).
  /// Computes one divided by the rounded square root of four vectors.
  ///
  /// The divider handles two of them while the multipliers refine the other two. This is about as
  /// fast as division alone where dividers are fast, and as multiplication alone where they are
  /// slow.
  @inline(__always)
  func reciprocalSquareRoot(_ x: Quartet) -> Quartet {
    if areUnusual(x) { return x.map(reciprocalSquareRoot) }
    let (root, half) = refinedRoot(x)
    let one = FloatVector(repeating: 1)
    return Quartet(
      nearestReciprocal(of: root.a, half: half.a), nearestReciprocal(of: root.b, half: half.b),
      one / root.c, one / root.d)
  }

  /// Computes the square root, and half its reciprocal within about one unit in the last place.
  ///
  /// Both are refined together. Then the root is corrected by `x` minus its square, which is exact;
  /// see Markstein, Computation of elementary functions, IBM Journal of Research and Development
  /// 34, 1990. The result was tested for all significands and all estimates within 2⁻¹⁴.
  @inline(__always)
  private func refinedRoot<Lanes: FloatLanes>(_ x: Lanes) -> (root: Lanes, halfReciprocal: Lanes) {
    let estimate = x.map(reciprocalSquareRootEstimate)
    var root = x * estimate
    var half = estimate.map { addUnits(-0x80_0000, to: $0) }
    let miss = Lanes(repeating: 0.5).zip(root, half, fusedMultiplySubtract)
    root = FusedMultiplyAdd.multiplyAdd(root, root, miss)
    half = FusedMultiplyAdd.multiplyAdd(half, half, miss)
    let rest = x.zip(root, root, fusedMultiplySubtract)
    return (FusedMultiplyAdd.multiplyAdd(root, rest, half), half)
  }

  /// Computes the rounded reciprocal of a number, given an approximation of its half.
  @inline(__always)
  private func nearestReciprocal(of x: FloatVector, half: FloatVector) -> FloatVector {
    // One unit above the double: so the reciprocal of a number just below a power of two is
    // approached from above, too, and rounds up.
    let first = addUnits(0x80_0001, to: half)
    return nearerReciprocal(nearerReciprocal(first, of: x), of: x)
  }

  /// Adds units in the last place; 2²³ of them double a number without a multiplication.
  @inline(__always)
  private func addUnits(_ count: Int32, to x: FloatVector) -> FloatVector {
    unsafeBitCast(asLanes(x) &+ SumVector(repeating: count), to: FloatVector.self)
  }

  @inline(__always)
  private func areUnusual(_ x: FloatVector) -> Bool { hasNegativeLane(signsOfUnusual(x)) }
#else
  // Not taken on AVX2: roots by multiplication (SQRT 28×28×56: 9.2 → 15.5 µs on Zen 3, whose
  // divider makes eight roots in five cycles).
  @inline(__always)
  func fastSquareRoot(_ x: FloatVector) -> FloatVector { squareRoot(x) }
#endif

/// Computes one divided by the rounded square root, rounded again.
@inline(__always)
func reciprocalSquareRoot(_ x: FloatVector) -> FloatVector {
  FloatVector(repeating: 1) / fastSquareRoot(x)
}

#if RECIPROCAL_ESTIMATES
  // Not taken: three roots by the divider and the fourth by multiplication (as long, or a fifth
  // longer).
  /// Computes one divided by the rounded square root of four vectors.
  ///
  /// The divider computes the roots while multipliers compute the quotients. The result was
  /// tested for all significands and all estimates within 1.5 · 2⁻¹².
  @inline(__always)
  func reciprocalSquareRoot(_ x: Quartet) -> Quartet {
    if areUnusual(x) { return x.map(reciprocalSquareRoot) }
    let root = x.map(squareRoot)
    let estimate = root.map(reciprocalEstimate)
    let miss = Quartet(repeating: 1).zip(root, estimate, fusedMultiplySubtract)
    // Slightly more than the miss and its square, so that the reciprocal of a number just below a
    // power of two rounds up in the end, too.
    let step = FusedMultiplyAdd.multiplyAdd(miss, miss, miss) + Quartet(repeating: 0x1p-26)
    let near = FusedMultiplyAdd.multiplyAdd(estimate, estimate, step)
    return nearerReciprocal(near, of: root)
  }
#elseif !ROOT_ESTIMATES
  @inline(__always)
  func reciprocalSquareRoot(_ x: Quartet) -> Quartet { x.map(reciprocalSquareRoot) }
#endif

#if ROOT_ESTIMATES || RECIPROCAL_ESTIMATES
  /// Refines a reciprocal by a step of Newton's method.
  @inline(__always)
  private func nearerReciprocal<Lanes: FloatLanes>(_ near: Lanes, of x: Lanes) -> Lanes {
    let miss = Lanes(repeating: 1).zip(x, near, fusedMultiplySubtract)
    return FusedMultiplyAdd.multiplyAdd(near, near, miss)
  }

  @inline(__always)
  private func areUnusual(_ x: Quartet) -> Bool {
    hasNegativeLane(
      (signsOfUnusual(x.a) | signsOfUnusual(x.b)) | (signsOfUnusual(x.c) | signsOfUnusual(x.d)))
  }

  /// Returns negative lanes for numbers that are negative, zero, infinite, NaN or very small.
  ///
  /// For very small ones, `x` minus the square of the root would be rounded.
  @inline(__always)
  private func signsOfUnusual(_ x: FloatVector) -> SumVector {
    let bits = asLanes(x)
    let lowest = SumVector(repeating: Int32(bitPattern: Float(0x1p-100).bitPattern))
    let highest = SumVector(
      repeating: Int32(bitPattern: Float.greatestFiniteMagnitude.bitPattern))
    // For every negative number, one of the differences is negative.
    return (bits &- lowest) | (highest &- bits)
  }
#endif
