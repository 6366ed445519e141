import _Builtin_intrinsics.arm.neon

// Vector operators of one instruction each. Those of the standard library work lane by lane, which
// the compiler takes long to vectorize and does not always succeed in.

@inline(__always)
func + (_ a: FloatVector, _ b: FloatVector) -> FloatVector { vaddq_f32(a, b) }

@inline(__always)
func - (_ a: FloatVector, _ b: FloatVector) -> FloatVector { vsubq_f32(a, b) }

@inline(__always)
func * (_ a: FloatVector, _ b: FloatVector) -> FloatVector { vmulq_f32(a, b) }

@inline(__always)
func / (_ a: FloatVector, _ b: FloatVector) -> FloatVector { vdivq_f32(a, b) }

@inline(__always)
func + (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { vaddq_f64(a, b) }

@inline(__always)
func - (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { vsubq_f64(a, b) }

@inline(__always)
func * (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { vmulq_f64(a, b) }

@inline(__always)
func / (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { vdivq_f64(a, b) }

@inline(__always)
func & (_ a: SumVector, _ b: SumVector) -> SumVector { vandq_s32(a, b) }

@inline(__always)
func | (_ a: SumVector, _ b: SumVector) -> SumVector { vorrq_s32(a, b) }

@inline(__always)
func ^ (_ a: SumVector, _ b: SumVector) -> SumVector { veorq_s32(a, b) }

@inline(__always)
prefix func ~ (_ a: SumVector) -> SumVector { vmvnq_s32(a) }

@inline(__always)
func & (_ a: WideVector, _ b: WideVector) -> WideVector { vandq_s64(a, b) }

@inline(__always)
func | (_ a: WideVector, _ b: WideVector) -> WideVector { vorrq_s64(a, b) }

@inline(__always)
func ^ (_ a: WideVector, _ b: WideVector) -> WideVector { veorq_s64(a, b) }

/// Multiplies the even 32-bit lanes to 64-bit products.
@inline(__always)
func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector {
  vmull_s32(vmovn_s64(x), vmovn_s64(y))
}

/// Moves the odd lanes to even positions, for `multiplyEvenLanes`.
@inline(__always)
func oddLanes(_ x: WideVector) -> WideVector {
  unsafeBitCast(vrev64q_s32(asLanes(x)), to: WideVector.self)
}

/// Shifts to the right and fills with zeros.
@inline(__always)
func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
  let unsigned = unsafeBitCast(x, to: SIMD2<UInt64>.self)
  return unsafeBitCast(vshlq_u64(unsigned, vdupq_n_s64(0 &- count)), to: WideVector.self)
}
