import _Builtin_intrinsics.intel

// Floats in double precision, half a vector each.

/// Rounds only the sum of a number and a product.
@inline(__always)
func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
  _mm512_fmadd_pd(a, b, sum)
}

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.lowHalf) }

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.highHalf) }

/// Rounds two vectors to the halves of one.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(lowHalf: _mm512_cvtpd_ps(low), highHalf: _mm512_cvtpd_ps(high))
}

/// 2^(steps / 32), whose roots are in four registers: a lookup in halves of them serves as many numbers
/// as a vector has floats, and their exponents are in the upper ones.
struct PowersOfTwo {
  private let lowerHalves, upperHalves: (__m512i, __m512i)

  @inline(__always)
  init(roots: UnsafeRawPointer) {
    let roots = (
      loadRoots(roots), loadRoots(roots + 64), loadRoots(roots + 128), loadRoots(roots + 192)
    )
    lowerHalves = (lowerLanes(roots.0, roots.1), lowerLanes(roots.2, roots.3))
    upperHalves = (
      lowerLanes(roots.0 &>> 32, roots.1 &>> 32), lowerLanes(roots.2 &>> 32, roots.3 &>> 32)
    )
  }

  /// The powers for whole numbers of steps in the lowest bits of doubles.
  @inline(__always)
  func callAsFunction(
    _ low: DoubleVector, _ high: DoubleVector
  ) -> (low: DoubleVector, high: DoubleVector) {
    let steps = lowerLanesInParts(low, high)
    let lower = _mm512_permutex2var_epi32(lowerHalves.0, steps, lowerHalves.1)
    let upper = _mm512_permutex2var_epi32(upperHalves.0, steps, upperHalves.1)
    // Whole powers of two are added to the exponent, and the 32nds, which the root's bits lack.
    let halves = alternatingInParts(asLanes(lower), asLanes(upper) &+ (asLanes(steps) &<< 15))
    return (
      unsafeBitCast(halves.low, to: DoubleVector.self),
      unsafeBitCast(halves.high, to: DoubleVector.self)
    )
  }
}

@inline(__always)
private func loadRoots(_ address: UnsafeRawPointer) -> WideVector {
  address.loadUnaligned(as: WideVector.self)
}

/// The lower halves of wide lanes: first those of `low`.
@inline(__always)
private func lowerLanes(_ low: WideVector, _ high: WideVector) -> __m512i {
  let order = SumVector(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  return _mm512_permutex2var_epi32(low, asBits(order), high)
}

/// The lower halves of wide lanes: in each part of 16 bytes first two of `low`, then two of `high`.
@inline(__always)
private func lowerLanesInParts(_ low: DoubleVector, _ high: DoubleVector) -> __m512i {
  let order = SumVector(0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
  return _mm512_permutex2var_epi32(
    unsafeBitCast(low, to: __m512i.self), asBits(order), unsafeBitCast(high, to: __m512i.self))
}
