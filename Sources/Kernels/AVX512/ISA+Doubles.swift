import _Builtin_intrinsics.intel

// Floats in double precision, half a vector each.

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.lowHalf) }

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector { _mm512_cvtps_pd(x.highHalf) }

/// Rounds two vectors to the halves of one.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(lowHalf: _mm512_cvtpd_ps(low), highHalf: _mm512_cvtpd_ps(high))
}
