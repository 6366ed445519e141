// With `HIGH_PRODUCTS`, one instruction does most of this (see Arm/HighProductScales).
#if !HIGH_PRODUCTS
  /// The fixed-point scaling of the official runtime.
  ///
  /// It is `RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(x << left, multiplier), right)`
  /// for all 32-bit sums, multipliers from 0 to 2³¹ - 1 and shifts from -31 to 31.
  struct FixedPointScale: VectorScale {
    var multiplier: SumVector
    var leftShift: SumVector
    /// The right shift without its last bit.
    var rightShift: SumVector
    /// The last bit of the right shift, which rounds: one, or zero without a right shift.
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

    /// Scales sums; the division rounds half away from zero.
    ///
    /// For that it lowers negative numbers by one before it rounds half up. It adds the half before
    /// the last bit of the shift, where the half is one and cannot overflow.
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

  /// The same scaling with two thirds of the instructions, for a limited range of inputs.
  ///
  /// Sums are up to 2²⁹, and right shifts from 1 to 21, so none of the additions overflows.
  /// Doubling the sums makes the upper halves of the products those of the doubling high
  /// multiplication. Its rounding, the rounding of the shift and the zero point are added to the
  /// products. The direction of the second rounding depends on the sign of the sum instead of the
  /// product's; they differ only if both round to zero.
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

  /// The same scaling without a right shift, which rounds only once.
  ///
  /// Sums must fit 30 bits after the left shift.
  struct LeftScale: VectorScale {
    var multiplier: WideVector
    /// The zero point in the upper halves of the products, and half a unit below.
    var term: WideVector
    /// The left shift plus one, for the doubling of the high multiplication.
    var shift: SumVector

    @inline(__always)
    static var isBounded: Bool { true }

    /// Reads the multiplier, which is the same for all lanes.
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

  #if FAST_PATHS
    /// A `BoundedScale` for results that are clamped at the zero point, as by a ReLU.
    ///
    /// The second rounding ignores the sign, which only affects results that are clamped anyway. So
    /// all roundings and the zero point are added to the 64-bit products, and sums need not be
    /// doubled: the last bit of the first shift becomes part of the second one.
    struct RectifiedScale: VectorScale {
      var multiplier: WideVector
      var oddMultiplier: WideVector
      var evenTerm: WideVector
      var oddTerm: WideVector
      /// The right shift minus one.
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
  #else
    /// The fallback for old processors does without a scale of its own.
    typealias RectifiedScale = BoundedScale
  #endif

  /// The 64-bit products of the even lanes and of the odd lanes of a vector.
  ///
  /// The odd lanes are multiplied by the even lanes of `z`.
  private struct WideProducts {
    var even: WideVector
    var odd: WideVector

    @inline(__always)
    init(_ x: WideVector, _ y: WideVector, odd z: WideVector) {
      even = multiplyEvenLanes(x, y)
      odd = multiplyEvenLanes(oddLanes(x), z)
    }
  }

  /// Returns the upper halves of wide lanes in the lower halves.
  @inline(__always)
  private func upperHalves(_ x: WideVector) -> WideVector { shiftRightUnsigned(x, 32) }
#endif

private var lowerHalves: WideVector {
  @inline(__always)
  get { WideVector(repeating: 0xFFFF_FFFF) }
}

/// Combines the lower halves of `even` and the upper halves of `odd` to even and odd lanes.
@inline(__always)
func merge(even: WideVector, odd: WideVector) -> SumVector {
  asLanes((even & lowerHalves) | (odd & ~lowerHalves))
}
