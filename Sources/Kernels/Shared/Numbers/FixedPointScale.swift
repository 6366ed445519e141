// Where there are `HIGH_PRODUCTS`, an instruction does most of this (see Arm/HighProductScales).
#if !HIGH_PRODUCTS
  /// The fixed-point scaling of the official runtime, for every 32-bit sum, multipliers from 0 to
  /// 2³¹ - 1 and shifts from -31 to 31:
  /// `RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(x << left, multiplier), right)`.
  struct FixedPointScale: VectorScale {
    var multiplier: SumVector
    var leftShift: SumVector
    /// All but the last step of the right shift.
    var rightShift: SumVector
    /// The last step of the right shift, which rounds: one, or zero where there is no right shift.
    var lastShift: SumVector
    var zeroPoint: SumVector

    @inline(__always)
    static var isBounded: Bool { false }

    @inline(__always)
    init(
      multiplier: SumVector, leftShift: SumVector, rightShift: SumVector, lastShift: SumVector,
      zeroPoint: SumVector
    ) {
      self.multiplier = multiplier
      self.leftShift = leftShift
      self.rightShift = rightShift
      self.lastShift = lastShift
      self.zeroPoint = zeroPoint
    }

    /// The division rounds half away from zero: for negative numbers one less, then half up.
    ///
    /// Half is added before the last step of the shift, where it is one and cannot overflow.
    @inline(__always)
    func callAsFunction(_ sums: SumVector) -> SumVector {
      let x = unsafeBitCast(shiftLeft(sums, leftShift), to: WideVector.self)
      let half = WideVector(repeating: 1 << 30)
      let factor = unsafeBitCast(multiplier, to: WideVector.self)
      let products = WideProducts(x, factor, odd: oddLanes(factor))
      let high = merge(
        even: shiftRightUnsigned(products.even &+ half, 31), odd: (products.odd &+ half) &<< 1)
      let lowered = high &+ maximum(minimum(high, SumVector()), SumVector() &- lastShift)
      return shiftRight(shiftRight(lowered, rightShift) &+ lastShift, lastShift) &+ zeroPoint
    }
  }

  /// The same scaling in two thirds of the instructions, for sums up to 2²⁹ and right shifts from
  /// 1 to 21, where nothing that is added here overflows.
  ///
  /// Sums are doubled, so that their products' upper halves are what the doubling high
  /// multiplication returns. Its rounding, the rounding of the shift and the zero point are added
  /// to the products. The sign decides about the second rounding: of the sum instead of the
  /// product, which differ only where both round to zero.
  struct BoundedScale: VectorScale {
    var multiplier: WideVector
    var oddMultiplier: WideVector
    var evenTerm: WideVector
    var oddTerm: WideVector
    var shift: SumVector

    @inline(__always)
    static var isBounded: Bool { true }

    @inline(__always)
    init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
      multiplier = unsafeBitCast(loadSums(address), to: WideVector.self)
      oddMultiplier = oddLanes(multiplier)
      let rightShift = loadSums(address + 2 &* sumVectorBytes)
      let one = SumVector(repeating: 1)
      shift = rightShift &+ one
      let term = unsafeBitCast(
        shiftLeft(one, rightShift) &+ shiftLeft(zeroPoint, shift), to: WideVector.self)
      let half = WideVector(repeating: 1 << 31)
      evenTerm = (term &<< 32) &+ half
      oddTerm = (term & ~lowerHalves) &+ half
    }

    @inline(__always)
    var ofEqualLanes: Self {
      var scale = self
      scale.oddMultiplier = multiplier
      scale.oddTerm = evenTerm
      return scale
    }

    @inline(__always)
    func callAsFunction(_ sums: SumVector) -> SumVector {
      let products = WideProducts(
        unsafeBitCast(sums &+ sums, to: WideVector.self), multiplier, odd: oddMultiplier)
      let high = merge(
        even: upperHalves(products.even &+ evenTerm), odd: products.odd &+ oddTerm)
      let sign = shiftRight(sums, SumVector(repeating: 31))
      return shiftRight(high &+ sign, shift)
    }
  }

  /// The same scaling without a right shift, for sums that fit 30 bits when shifted to the left: it
  /// rounds only once.
  struct LeftScale: VectorScale {
    var multiplier: WideVector
    /// The zero point and half of a unit, in the products' upper halves and below.
    var term: WideVector
    /// The left shift and one, which makes upper halves of the doubling high multiplication.
    var shift: SumVector

    @inline(__always)
    static var isBounded: Bool { true }

    /// The multiplier is that of all lanes.
    @inline(__always)
    init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
      multiplier = unsafeBitCast(loadSums(address), to: WideVector.self)
      shift = loadSums(address + sumVectorBytes) &+ SumVector(repeating: 1)
      term =
        (unsafeBitCast(zeroPoint, to: WideVector.self) &<< 32) &+ WideVector(repeating: 1 << 31)
    }

    @inline(__always)
    func callAsFunction(_ sums: SumVector) -> SumVector {
      let products = WideProducts(
        unsafeBitCast(shiftLeft(sums, shift), to: WideVector.self), multiplier, odd: multiplier)
      return merge(even: upperHalves(products.even &+ term), odd: products.odd &+ term)
    }
  }

  /// `BoundedScale` where no result below the zero point is wanted, as behind a ReLU: the second
  /// rounding then need not look at the sign, which lowers results only that are clamped anyway.
  ///
  /// Without the sign, all roundings and the zero point can be added to the 64-bit products, and the
  /// sums need not be doubled: the last bit of the first shift is part of the second one.
  struct RectifiedScale: VectorScale {
    var multiplier: WideVector
    var oddMultiplier: WideVector
    var evenTerm: WideVector
    var oddTerm: WideVector
    /// The right shift less one.
    var shift: SumVector

    @inline(__always)
    static var isBounded: Bool { true }

    @inline(__always)
    init(_ address: UnsafeRawPointer, zeroPoint: SumVector) {
      multiplier = unsafeBitCast(loadSums(address), to: WideVector.self)
      oddMultiplier = oddLanes(multiplier)
      shift = loadSums(address + 2 &* sumVectorBytes)
      let one = SumVector(repeating: 1)
      let term = unsafeBitCast(
        shiftLeft(one, shift) &+ shiftLeft(zeroPoint, shift &+ one), to: WideVector.self)
      let half = WideVector(repeating: 1 << 30)
      evenTerm = ((term &<< 32) &>> 1) &+ half
      oddTerm = ((term & ~lowerHalves) &>> 1) &+ half
    }

    @inline(__always)
    var ofEqualLanes: Self {
      var scale = self
      scale.oddMultiplier = multiplier
      scale.oddTerm = evenTerm
      return scale
    }

    @inline(__always)
    func callAsFunction(_ sums: SumVector) -> SumVector {
      let products = WideProducts(
        unsafeBitCast(sums, to: WideVector.self), multiplier, odd: oddMultiplier)
      let high = merge(
        even: upperHalves(products.even &+ evenTerm), odd: products.odd &+ oddTerm)
      return shiftRight(high, shift)
    }
  }

  /// The 64-bit products of the even lanes of two vectors, and of the odd ones of the first with the
  /// even ones of a third.
  private struct WideProducts {
    var even: WideVector
    var odd: WideVector

    @inline(__always)
    init(_ x: WideVector, _ y: WideVector, odd z: WideVector) {
      even = multiplyEvenLanes(x, y)
      odd = multiplyEvenLanes(oddLanes(x), z)
    }
  }

  /// The upper halves of lanes in the place of the lower ones.
  @inline(__always)
  private func upperHalves(_ x: WideVector) -> WideVector { shiftRightUnsigned(x, 32) }
#endif

private var lowerHalves: WideVector {
  @inline(__always)
  get { WideVector(repeating: 0xFFFF_FFFF) }
}

/// The lower halves of `even` and the upper halves of `odd`, as even and odd lanes.
@inline(__always)
func merge(even: WideVector, odd: WideVector) -> SumVector {
  asLanes((even & lowerHalves) | (odd & ~lowerHalves))
}
