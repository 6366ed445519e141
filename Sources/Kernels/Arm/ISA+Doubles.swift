import _Builtin_intrinsics.arm.neon

// Doubles, half as many per vector as floats.

/// Computes `a · b + sum` with a single rounding.
@inline(__always)
func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
  vfmaq_f64(sum, a, b)
}

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector { vcvt_f64_f32(x.lowHalf) }

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector { vcvt_high_f64_f32(x) }

/// Rounds two vectors of doubles to the halves of a vector of floats.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  vcvt_high_f32_f64(vcvt_f32_f64(low), high)
}

/// Converts the lower and the upper half of the lanes to doubles.
@inline(__always)
func doubles(_ x: SumVector) -> (low: DoubleVector, high: DoubleVector) {
  (vcvtq_f64_s64(vmovl_s32(x.lowHalf)), vcvtq_f64_s64(vmovl_high_s32(x)))
}

/// Truncates doubles to integers; results out of range are `Int32.min`.
@inline(__always)
func truncated(low: DoubleVector, high: DoubleVector) -> SumVector {
  // The conversion saturates: numbers too small give the right result, but NaN gives 0 and numbers
  // too large the maximum.
  let limit = DoubleVector(repeating: 0x1p31)
  let fits = vuzp1q_u32(
    unsafeBitCast(vcltq_f64(low, limit), to: uint32x4_t.self),
    unsafeBitCast(vcltq_f64(high, limit), to: uint32x4_t.self))
  let numbers = vqmovn_high_s64(vqmovn_s64(vcvtq_s64_f64(low)), vcvtq_s64_f64(high))
  return vbslq_s32(fits, numbers, SumVector(repeating: .min))
}
