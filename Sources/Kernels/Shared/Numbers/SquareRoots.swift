// Square roots and their reciprocals, rounded like those of the processor's own instructions. Where it
// has estimates, some fused products make them exact in about two thirds of the time that a root and a
// division take.

#if ROOT_ESTIMATES
  /// The bits of `squareRoot`, sooner.
  @inline(__always)
  func quickSquareRoot(_ x: FloatVector) -> FloatVector {
    if areUnusual(x) { return squareRoot(x) }
    return refinedRoot(x).root
  }

  /// The same as a quotient of one and the rounded root, of four vectors.
  ///
  /// A unit of its own divides two, while others come to the rest by products: about as good as only
  /// dividing where divisions are fast, and as only multiplying where they are slow.
  @inline(__always)
  func reciprocalSquareRoot(_ x: Quartet) -> Quartet {
    if areUnusual(x) { return x.map(reciprocalSquareRoot) }
    let (root, half) = refinedRoot(x)
    let one = FloatVector(repeating: 1)
    return Quartet(
      nearestReciprocal(of: root.a, half: half.a), nearestReciprocal(of: root.b, half: half.b),
      one / root.c, one / root.d)
  }

  /// The root, and half of its reciprocal within a unit of the last place or so.
  ///
  /// Both are refined together; then what the root's square misses, which is exact, corrects the root. See
  /// Markstein, Computation of elementary functions, IBM Journal of Research and Development 34, 1990. For
  /// all significands and whichever estimates within 2⁻¹⁴ the result was tried.
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

  /// The rounded reciprocal of a number, half of which is nearly known.
  @inline(__always)
  private func nearestReciprocal(of x: FloatVector, half: FloatVector) -> FloatVector {
    // A unit more than the double, so that also the reciprocal of a number just below a power of two is
    // approached from above and rounds up.
    let first = addUnits(0x80_0001, to: half)
    return nearerReciprocal(nearerReciprocal(first, of: x), of: x)
  }

  /// So many units of the last place more; 2²³ of them are a power of two, which costs no product.
  @inline(__always)
  private func addUnits(_ count: Int32, to x: FloatVector) -> FloatVector {
    unsafeBitCast(asLanes(x) &+ SumVector(repeating: count), to: FloatVector.self)
  }

  @inline(__always)
  private func areUnusual(_ x: FloatVector) -> Bool { hasNegativeLane(signsOfUnusual(x)) }
#else
  @inline(__always)
  func quickSquareRoot(_ x: FloatVector) -> FloatVector { squareRoot(x) }
#endif

/// A quotient of one and the rounded root, which is rounded again.
@inline(__always)
func reciprocalSquareRoot(_ x: FloatVector) -> FloatVector {
  FloatVector(repeating: 1) / quickSquareRoot(x)
}

#if RECIPROCAL_ESTIMATES
  /// The same of four vectors.
  ///
  /// One unit would have to make the roots and to divide: while it makes roots, others come to the quotients by
  /// products. For all significands and estimates within 1.5 · 2⁻¹² these were tried.
  @inline(__always)
  func reciprocalSquareRoot(_ x: Quartet) -> Quartet {
    if areUnusual(x) { return x.map(reciprocalSquareRoot) }
    let root = x.map(squareRoot)
    let estimate = root.map(reciprocalEstimate)
    let miss = Quartet(repeating: 1).zip(root, estimate, fusedMultiplySubtract)
    // A little more than miss and its square, so that also the reciprocal of a number just below a power of two
    // rounds up at last.
    let step = FusedMultiplyAdd.multiplyAdd(miss, miss, miss) + Quartet(repeating: 0x1p-26)
    let near = FusedMultiplyAdd.multiplyAdd(estimate, estimate, step)
    return nearerReciprocal(near, of: root)
  }
#elseif !ROOT_ESTIMATES
  @inline(__always)
  func reciprocalSquareRoot(_ x: Quartet) -> Quartet { x.map(reciprocalSquareRoot) }
#endif

#if ROOT_ESTIMATES || RECIPROCAL_ESTIMATES
  /// A step of Newton's method.
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

  /// Negative in lanes that are negative, zero, infinite, no number, or so small that what the root's
  /// square misses would be rounded.
  @inline(__always)
  private func signsOfUnusual(_ x: FloatVector) -> SumVector {
    let bits = asLanes(x)
    let least = SumVector(repeating: Int32(bitPattern: Float(0x1p-100).bitPattern))
    let greatest = SumVector(
      repeating: Int32(bitPattern: Float.greatestFiniteMagnitude.bitPattern))
    // One of the differences is negative for every negative number, too.
    return (bits &- least) | (greatest &- bits)
  }
#endif
