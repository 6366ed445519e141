#if !arch(x86_64)
  /// Rounds only the sum of a number and a product.
  @inline(__always)
  func fusedMultiplyAdd(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
    sum.addingProduct(a, b)
  }

  /// Rounds only the sum of a number and a product.
  @inline(__always)
  func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
    sum.addingProduct(a, b)
  }

  /// The 64-bit products of the even lanes.
  @inline(__always)
  func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector {
    ((x &<< 32) &>> 32) &* ((y &<< 32) &>> 32)
  }

  /// The odd lanes in the place of the even ones, for `multiplyEvenLanes`.
  @inline(__always)
  func oddLanes(_ x: WideVector) -> WideVector {
    shiftRightUnsigned(x, 32)
  }

  /// Shifts zeros in from the left.
  @inline(__always)
  func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
    let unsigned = unsafeBitCast(x, to: SIMD2<UInt64>.self) &>> UInt64(truncatingIfNeeded: count)
    return unsafeBitCast(unsigned, to: WideVector.self)
  }

  /// Adds, lane by lane, the products of two 16-bit numbers with two others.
  @inline(__always)
  func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
    let low = ((activations &<< 16) &>> 16) &* ((weights &<< 16) &>> 16)
    let high = (activations &>> 16) &* (weights &>> 16)
    return sums &+ low &+ high
  }

  /// Puts bytes of the first two lines one below the other: lane by lane those of one channel, as
  /// `dot` takes activations.
  @inline(__always)
  func interleaved(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _: UnsafeRawPointer,
    _: UnsafeRawPointer, isSigned: Bool
  ) -> SumVector {
    let first = bytesToLanes(first, isSigned: isSigned)
    let second = bytesToLanes(second, isSigned: isSigned)
    return (first & 0xFFFF) | (second &<< 16)
  }

  /// One byte a lane, as a number.
  @inline(__always)
  func bytesToLanes(_ bytes: UnsafeRawPointer, isSigned: Bool) -> SumVector {
    let shifted = SumVector(repeating: loadInt32(bytes)) &<< SumVector(24, 16, 8, 0)
    if isSigned { return shifted &>> 24 }
    return (shifted &>> 24) & 0xFF
  }

  /// The nearest floats.
  @inline(__always)
  func floats(_ x: SumVector) -> FloatVector {
    FloatVector(Float(x[0]), Float(x[1]), Float(x[2]), Float(x[3]))
  }

  /// Floats without their fractions; `Int32.min` where that does not fit.
  @inline(__always)
  func truncated(_ x: FloatVector) -> SumVector {
    SumVector(truncated(x[0]), truncated(x[1]), truncated(x[2]), truncated(x[3]))
  }

  @inline(__always)
  private func truncated(_ x: Float) -> Int32 {
    x >= -0x1p31 && x < 0x1p31 ? Int32(x) : Int32.min
  }

  /// Stores the lowest byte of every lane.
  @inline(__always)
  func storeBytes(_ sums: SumVector, to output: UnsafeMutableRawPointer) {
    let bytes = unsafeBitCast(sums, to: SIMD16<UInt8>.self)
    output.storeBytes(
      of: SIMD4<UInt8>(bytes[0], bytes[4], bytes[8], bytes[12]), as: SIMD4<UInt8>.self)
  }

  /// `a > b ? a : b` in every lane.
  @inline(__always)
  func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
    let bits = select(
      asLanes(a .> b), asLanes(a),
      asLanes(b))
    return unsafeBitCast(bits, to: FloatVector.self)
  }

  /// `a < b ? a : b` in every lane.
  @inline(__always)
  func minimum(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
    let bits = select(
      asLanes(a .< b), asLanes(a),
      asLanes(b))
    return unsafeBitCast(bits, to: FloatVector.self)
  }

  @inline(__always)
  func maximum(_ a: SumVector, _ b: SumVector) -> SumVector {
    select(asLanes(a .> b), a, b)
  }

  @inline(__always)
  func minimum(_ a: SumVector, _ b: SumVector) -> SumVector {
    select(asLanes(a .> b), b, a)
  }

  /// The larger of each two bytes, as numbers without or with a sign.
  @inline(__always)
  func maximumOfBytes(_ a: SumVector, _ b: SumVector, isSigned: Bool) -> SumVector {
    // With the sign turned over, signed bytes are in the order of unsigned ones.
    let flip = SIMD16<UInt8>(repeating: isSigned ? 0x80 : 0)
    let x = unsafeBitCast(a, to: SIMD16<UInt8>.self), y = unsafeBitCast(b, to: SIMD16<UInt8>.self)
    return select(asLanes((x ^ flip) .> (y ^ flip)), a, b)
  }

  /// Lanes of `a` where `mask` is all ones, of `b` where it is zero.
  @inline(__always)
  private func select(_ mask: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
    (a & mask) | (b & ~mask)
  }
#endif
