import _Builtin_intrinsics.arm.neon

// `sqrdmulh` is the doubling high multiplication of the official runtime, rounding and all, and
// `srshl` a shift that rounds half up.

/// The fixed-point scaling of the official runtime, for every 32-bit sum, multipliers from 0 to
/// 2³¹ - 1 and shifts from -31 to 31:
/// `RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(x << left, multiplier), right)`.
struct FixedPointScale: VectorScale {
  private var multiplier: SumVector
  private var leftShift: SumVector
  /// The right shift as a left one: negative, or zero where there is none.
  private var shift: SumVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { false }

  /// The right shift is that of both steps.
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

  /// The division rounds half away from zero: for negative numbers one less, then half up.
  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    let high = vqrdmulhq_s32(vshlq_s32(sums, leftShift), multiplier)
    // All ones where the number and its shift are negative. No product is so small that one less
    // overflows.
    let isLowered = (high & shift) &>> SumVector(repeating: 31)
    return vrshlq_s32(high &+ isLowered, shift) &+ zeroPoint
  }
}

/// The same scaling for sums up to 2²⁹ and right shifts from 1 to 21: no left shift, and every
/// negative number is lowered.
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

/// The same scaling without a right shift, for sums that fit 30 bits when shifted to the left.
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

/// `BoundedScale` where no result below the zero point is wanted, as behind a ReLU: the second
/// rounding then need not look at the sign, which lowers results only that are clamped anyway.
struct RectifiedScale: VectorScale {
  fileprivate var multiplier: SumVector
  fileprivate var shift: SumVector
  private var zeroPoint: SumVector

  @inline(__always)
  static var isBounded: Bool { true }

  @inline(__always)
  init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
    multiplier = loadSums(address)
    // All but the last step of the right shift, which is one.
    shift = SumVector(repeating: -1) &- loadSums(address + 2 &* sumVectorBytes)
    self.zeroPoint = zeroPoint
  }

  @inline(__always)
  func callAsFunction(_ sums: SumVector) -> SumVector {
    vrshlq_s32(vqrdmulhq_s32(sums, multiplier), shift) &+ zeroPoint
  }
}
