// Square roots and their reciprocals, rounded like those of the processor's own instructions. Where it
// has good estimates, some fused products make them exact in about two thirds of the time that a root and
// a division take.

#if ROOT_ESTIMATES
  /// The bits of `squareRoot`, sooner.
  @inline(__always)
  func quickSquareRoot(_ x: FloatVector) -> FloatVector {
    if areUnusual(x) { return squareRoot(x) }
    return refinedRoot(x).root
  }

  /// A quotient of one and the rounded root, which is rounded again.
  @inline(__always)
  func reciprocalSquareRoot(_ x: FloatVector) -> FloatVector {
    let one = FloatVector(repeating: 1)
    if areUnusual(x) { return one / squareRoot(x) }
    let (root, half) = refinedRoot(x)
    // A little more than the double, so that also the reciprocal of a root just below a power of two is
    // approached from above and rounds up.
    let first = half * FloatVector(repeating: 0x1.000002p1)
    let second = nearerReciprocal(first, of: root)
    return nearerReciprocal(second, of: root)
  }

  /// The root, and half of its reciprocal within a unit of the last place or so.
  ///
  /// Both are refined together; then what the root's square misses, which is exact, corrects the root. See
  /// Markstein, Computation of elementary functions, IBM Journal of Research and Development 34, 1990. For
  /// all significands and whichever estimates within 2⁻¹⁴ the result was tried.
  @inline(__always)
  private func refinedRoot(_ x: FloatVector) -> (root: FloatVector, halfReciprocal: FloatVector) {
    let estimate = reciprocalSquareRootEstimate(x)
    var root = x * estimate
    var half = estimate * FloatVector(repeating: 0.5)
    let miss = fusedMultiplySubtract(FloatVector(repeating: 0.5), root, half)
    root = FusedMultiplyAdd.multiplyAdd(root, root, miss)
    half = FusedMultiplyAdd.multiplyAdd(half, half, miss)
    let rest = fusedMultiplySubtract(x, root, root)
    return (FusedMultiplyAdd.multiplyAdd(root, rest, half), half)
  }

  @inline(__always)
  private func nearerReciprocal(_ near: FloatVector, of x: FloatVector) -> FloatVector {
    let miss = fusedMultiplySubtract(FloatVector(repeating: 1), x, near)
    return FusedMultiplyAdd.multiplyAdd(near, near, miss)
  }

  /// Whether a lane is negative, zero, infinite, no number, or so small that what the root's square
  /// misses would be rounded.
  @inline(__always)
  private func areUnusual(_ x: FloatVector) -> Bool {
    let bits = asLanes(x)
    let least = SumVector(repeating: Int32(bitPattern: Float(0x1p-100).bitPattern))
    let greatest = SumVector(
      repeating: Int32(bitPattern: Float.greatestFiniteMagnitude.bitPattern))
    // One of the differences is negative for every negative number, too.
    return hasNegativeLane((bits &- least) | (greatest &- bits))
  }
#else
  @inline(__always)
  func quickSquareRoot(_ x: FloatVector) -> FloatVector { squareRoot(x) }

  @inline(__always)
  func reciprocalSquareRoot(_ x: FloatVector) -> FloatVector {
    FloatVector(repeating: 1) / squareRoot(x)
  }
#endif
