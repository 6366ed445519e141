#if !arch(x86_64)
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
    var first = bytesToLanes(first), second = bytesToLanes(second)
    if isSigned {
      first = (first &<< 24) &>> 24
      second = (second &<< 24) &>> 24
    }
    return (first & 0xFFFF) | (second &<< 16)
  }

  /// One unsigned byte a lane.
  @inline(__always)
  func bytesToLanes(_ bytes: UnsafeRawPointer) -> SumVector {
    let packed = loadInt32(bytes)
    return (SumVector(repeating: packed) &>> SumVector(0, 8, 16, 24)) & 0xFF
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
      unsafeBitCast(a .> b, to: SumVector.self), unsafeBitCast(a, to: SumVector.self),
      unsafeBitCast(b, to: SumVector.self))
    return unsafeBitCast(bits, to: FloatVector.self)
  }

  /// `a < b ? a : b` in every lane.
  @inline(__always)
  func minimum(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
    let bits = select(
      unsafeBitCast(a .< b, to: SumVector.self), unsafeBitCast(a, to: SumVector.self),
      unsafeBitCast(b, to: SumVector.self))
    return unsafeBitCast(bits, to: FloatVector.self)
  }

  @inline(__always)
  func maximum(_ a: SumVector, _ b: SumVector) -> SumVector {
    select(unsafeBitCast(a .> b, to: SumVector.self), a, b)
  }

  @inline(__always)
  func minimum(_ a: SumVector, _ b: SumVector) -> SumVector {
    select(unsafeBitCast(a .> b, to: SumVector.self), b, a)
  }

  /// Lanes of `a` where `mask` is all ones, of `b` where it is zero.
  @inline(__always)
  private func select(_ mask: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
    (a & mask) | (b & ~mask)
  }
#endif
