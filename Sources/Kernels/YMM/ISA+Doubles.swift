import _Builtin_intrinsics.intel

// Doubles, half as many per vector as floats.

/// Computes `a · b + sum` with a single rounding.
@inline(__always)
func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
  _mm256_fmadd_pd(a, b, sum)
}

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector { _mm256_cvtps_pd(x.lowHalf) }

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector { _mm256_cvtps_pd(x.highHalf) }

/// Rounds two vectors of doubles to the halves of a vector of floats.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(lowHalf: _mm256_cvtpd_ps(low), highHalf: _mm256_cvtpd_ps(high))
}
