import _Builtin_intrinsics.arm.neon

// `sqrdmulh` is the rounding doubling high multiplication of the official runtime, and `srshl` a
// shift that rounds half up.

/// The fixed-point scaling of the official runtime.
///
/// It is `RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(x << left, multiplier), right)` for
/// all 32-bit sums, multipliers from 0 to 2³¹ - 1 and shifts from -31 to 31.
struct FixedPointScale: VectorScale {
  private var multiplier: SumVector
  private var leftShift: SumVector
  /// The right shift as a left shift: negative, or zero.
  private var shift: SumVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { false }

  /// Creates a scaling; the right shift is the sum of `rightShift` and `lastShift`.
  @inline(__always)
  init(
    multiplier: SumVector, leftShift: SumVector, rightShift: SumVector, lastShift: SumVector,
    zeroPoint: SumVector
  ) {
    self.multiplier = multiplier
    self.leftShift = leftShift
    shift = SumVector() &- rightShift &- lastShift
    self.zeroPoint = zeroPoint
  }

  /// Scales sums; for rounding half away from zero, negative numbers are lowered by one first.
  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let high = vqrdmulhq_s32(vshlq_s32(sums, leftShift), multiplier)
    // All ones if both the number and its shift are negative. Products are never so small that the
    // subtraction overflows.
    let isLowered = (high & shift) &>> SumVector(repeating: 31)
    return vrshlq_s32(high &+ isLowered, shift) &+ zeroPoint
  }
}

/// The same scaling for sums up to 2²⁹ and right shifts from 1 to 21.
///
/// It needs no left shift, and lowers every negative number.
struct BoundedScale: VectorScale {
  private var multiplier: SumVector
  private var shift: SumVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { true }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    let scale = RectifiedScale(address, zeroPoint: zeroPoint)
    multiplier = scale.multiplier
    shift = scale.shift
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let high = vqrdmulhq_s32(sums, multiplier)
    let lowered = high &+ high &>> SumVector(repeating: 31)
    return vrshlq_s32(lowered, shift) &+ zeroPoint
  }
}

/// The same scaling without a right shift, for sums that fit 30 bits after the left shift.
struct LeftScale: VectorScale {
  private var multiplier: SumVector
  private var shift: SumVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { true }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    multiplier = loadSums(address)
    shift = loadSums(address + sumVectorBytes)
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    vqrdmulhq_s32(vshlq_s32(sums, shift), multiplier) &+ zeroPoint
  }
}

/// A `BoundedScale` for results that are clamped at the zero point, as by a ReLU.
///
/// The second rounding ignores the sign, which only affects results that are clamped anyway.
struct RectifiedScale: VectorScale {
  fileprivate var multiplier: SumVector
  fileprivate var shift: SumVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { true }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    multiplier = loadSums(address)
    // The packed right shift lacks its last bit, which is one here.
    shift = SumVector(repeating: -1) &- loadSums(address + 2 &* sumVectorBytes)
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    vrshlq_s32(vqrdmulhq_s32(sums, multiplier), shift) &+ zeroPoint
  }
}
