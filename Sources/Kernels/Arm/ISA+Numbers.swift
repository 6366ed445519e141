import _Builtin_intrinsics.arm.neon

// Common to all 64-bit Arm processors: 32 registers of 16 bytes.

typealias FloatVector = SIMD4<Float>
typealias SumVector = SIMD4<Int32>
/// The 64-bit lanes of a `SumVector`.
typealias WideVector = SIMD2<Int64>
/// A vector of doubles of the size of `SumVector`.
typealias DoubleVector = SIMD2<Double>

let vectorRegisters = 32
/// The tile height: 16 accumulators, 8 row vectors and 2 vectors of weights in 32 registers.
let floatTileRows = 8
typealias FloatTileRows = Eight
typealias RoundedTileRows = FloatTileRows
let floatTileVectors = 2
/// The number of vectors at a time in long functions of floats, limited by the registers.
typealias WidestGroup = Quartet

/// Reinterprets a vector as 32-bit lanes.
@inline(__always)
func asLanes<Vector>(_ vector: Vector) -> SumVector {
  unsafeBitCast(vector, to: SumVector.self)
}

/// Reinterprets a vector as signed bytes.
@inline(__always)
func asBytes(_ vector: SumVector) -> int8x16_t { unsafeBitCast(vector, to: int8x16_t.self) }

/// Reinterprets a vector as 16-bit numbers.
@inline(__always)
func asShorts(_ vector: SumVector) -> int16x8_t { unsafeBitCast(vector, to: int16x8_t.self) }

/// Reinterprets a vector as unsigned bytes.
@inline(__always)
func asUnsignedBytes(_ vector: SumVector) -> uint8x16_t {
  unsafeBitCast(vector, to: uint8x16_t.self)
}

/// Computes `a · b + sum` with a single rounding.
///
/// The standard library's operator works lane by lane, and the compiler does not always merge the
/// lanes again.
@inline(__always)
func fusedMultiplyAdd(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
  vfmaq_f32(sum, a, b)
}

// `fmax` and `fmin` treat NaN and the sign of zero differently.

/// Returns `a > b ? a : b` in every lane.
@inline(__always)
func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
  vbslq_f32(vcgtq_f32(a, b), a, b)
}

/// Returns `a < b ? a : b` in every lane.
@inline(__always)
func minimum(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
  vbslq_f32(vcltq_f32(a, b), a, b)
}

@inline(__always)
func maximum(_ a: SumVector, _ b: SumVector) -> SumVector { vmaxq_s32(a, b) }

@inline(__always)
func minimum(_ a: SumVector, _ b: SumVector) -> SumVector { vminq_s32(a, b) }

/// Shifts every lane to the left by its own count, from 0 to 31.
@inline(__always)
func shiftLeft(_ x: SumVector, _ counts: SumVector) -> SumVector { vshlq_s32(x, counts) }

/// Shifts every lane to the right by its own count, from 0 to 31, keeping the sign.
@inline(__always)
func shiftRight(_ x: SumVector, _ counts: SumVector) -> SumVector {
  vshlq_s32(x, SumVector() &- counts)
}

/// Converts integers to the nearest floats.
@inline(__always)
func floats(_ x: SumVector) -> FloatVector { vcvtq_f32_s32(x) }

/// Truncates floats to integers; results out of range are `Int32.min`.
@inline(__always)
func truncated(_ x: FloatVector) -> SumVector {
  // The conversion gives 0 for NaN, and the maximum for numbers too large.
  let fits = vcltq_f32(x, FloatVector(repeating: 0x1p31))
  return vbslq_s32(fits, vcvtq_s32_f32(x), SumVector(repeating: .min))
}

@inline(__always)
func largestLane(_ x: SumVector) -> Int32 { vmaxvq_s32(x) }

/// Returns the maxima of signed or unsigned bytes.
@inline(__always)
func maximumOfBytes(_ a: SumVector, _ b: SumVector, isSigned: Bool) -> SumVector {
  isSigned
    ? asLanes(vmaxq_s8(asBytes(a), asBytes(b)))
    : asLanes(vmaxq_u8(asUnsignedBytes(a), asUnsignedBytes(b)))
}

@inline(__always)
func squareRoot(_ x: FloatVector) -> FloatVector { vsqrtq_f32(x) }

/// Selects lanes of `a` where the sign bit of `choice` is set, else of `b`.
@inline(__always)
func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
  vbslq_f32(vcltzq_s32(choice), a, b)
}

/// Computes `x · 2^exponent` for integral exponents.
@inline(__always)
func scaled(_ x: FloatVector, byPowersOfTwo exponents: FloatVector) -> FloatVector {
  scaledInTwoSteps(x, exponents)
}
