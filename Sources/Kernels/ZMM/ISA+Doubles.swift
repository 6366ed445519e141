import _Builtin_intrinsics.intel

// Doubles, half as many per vector as floats.

/// Computes `a · b + sum` with a single rounding.
@inline(__always)
func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
  _mm512_fmadd_pd(a, b, sum)
}

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.lowHalf) }

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.highHalf) }

/// Rounds two vectors of doubles to the halves of a vector of floats.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(lowHalf: _mm512_cvtpd_ps(low), highHalf: _mm512_cvtpd_ps(high))
}

/// The function 2^(steps / 32), with the table in registers.
///
/// Its entries are split into lower and upper halves, so one lookup in each serves as many numbers
/// as a vector has floats. The exponents are in the upper halves.
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

  /// Returns 2^(steps / 32); the lowest bits of each double hold its integral number of steps.
  @inline(__always)
  func callAsFunction(
    _ low: DoubleVector, _ high: DoubleVector
  ) -> (low: DoubleVector, high: DoubleVector) {
    let steps = lowerLanesInSegments(low, high)
    let lower = _mm512_permutex2var_epi32(lowerHalves.0, steps, lowerHalves.1)
    let upper = _mm512_permutex2var_epi32(upperHalves.0, steps, upperHalves.1)
    // Adds the integral part to the exponent, and the index, which the entries lack.
    let halves = interleavedLanesInSegments(
      asLanes(lower), asLanes(upper) &+ (asLanes(steps) &<< 15))
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

/// Returns the lower halves of wide lanes, first those of `low`.
@inline(__always)
private func lowerLanes(_ low: WideVector, _ high: WideVector) -> __m512i {
  let order = SumVector(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  return _mm512_permutex2var_epi32(low, asBits(order), high)
}

/// Returns the lower halves of wide lanes: in each 16-byte segment two of `low`, then two of
/// `high`.
@inline(__always)
private func lowerLanesInSegments(_ low: DoubleVector, _ high: DoubleVector) -> __m512i {
  let order = SumVector(0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
  return _mm512_permutex2var_epi32(
    unsafeBitCast(low, to: __m512i.self), asBits(order), unsafeBitCast(high, to: __m512i.self))
}
