#if !arch(x86_64)
  /// Computes `a · b + sum` with a single rounding.
  @inline(__always)
  func fusedMultiplyAdd(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
    sum.addingProduct(a, b)
  }

  /// Computes `a · b + sum` with a single rounding.
  @inline(__always)
  func fusedMultiplyAdd(_ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector) -> DoubleVector {
    sum.addingProduct(a, b)
  }

  /// Multiplies the even 32-bit lanes to 64-bit products.
  @inline(__always)
  func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector {
    ((x &<< 32) &>> 32) &* ((y &<< 32) &>> 32)
  }

  /// Moves the odd lanes to even positions, for `multiplyEvenLanes`.
  @inline(__always)
  func oddLanes(_ x: WideVector) -> WideVector {
    shiftRightUnsigned(x, 32)
  }

  /// Shifts to the right and fills with zeros.
  @inline(__always)
  func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
    let unsigned = unsafeBitCast(x, to: SIMD2<UInt64>.self) &>> UInt64(truncatingIfNeeded: count)
    return unsafeBitCast(unsigned, to: WideVector.self)
  }

  /// Adds to each lane the dot product of two pairs of 16-bit numbers.
  @inline(__always)
  func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
    let low = ((activations &<< 16) &>> 16) &* ((weights &<< 16) &>> 16)
    let high = (activations &>> 16) &* (weights &>> 16)
    return sums &+ low &+ high
  }

  /// Interleaves bytes of the first two rows: each lane gets those of one channel.
  ///
  /// This is the layout that `dot` expects of activations.
  @inline(__always)
  func interleaved(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _: UnsafeRawPointer,
    _: UnsafeRawPointer, isSigned: Bool
  ) -> SumVector {
    let first = bytesToLanes(first, isSigned: isSigned)
    let second = bytesToLanes(second, isSigned: isSigned)
    return (first & 0xFFFF) | (second &<< 16)
  }

  /// Loads one byte per lane.
  @inline(__always)
  func bytesToLanes(_ bytes: UnsafeRawPointer, isSigned: Bool) -> SumVector {
    let shifted = SumVector(repeating: loadInt32(bytes)) &<< SumVector(24, 16, 8, 0)
    if isSigned { return shifted &>> 24 }
    return (shifted &>> 24) & 0xFF
  }

  /// Converts integers to the nearest floats.
  @inline(__always)
  func floats(_ x: SumVector) -> FloatVector {
    FloatVector(Float(x[0]), Float(x[1]), Float(x[2]), Float(x[3]))
  }

  /// Truncates floats to integers; results out of range are `Int32.min`.
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

  /// Returns `a > b ? a : b` in every lane.
  @inline(__always)
  func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
    let bits = select(
      asLanes(a .> b), asLanes(a),
      asLanes(b))
    return unsafeBitCast(bits, to: FloatVector.self)
  }

  /// Returns `a < b ? a : b` in every lane.
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

  /// Returns the maxima of signed or unsigned bytes.
  @inline(__always)
  func maximumOfBytes(_ a: SumVector, _ b: SumVector, isSigned: Bool) -> SumVector {
    // Toggling the sign bit maps the order of signed bytes to that of unsigned ones.
    let signToggle = SIMD16<UInt8>(repeating: isSigned ? 0x80 : 0)
    let x = unsafeBitCast(a, to: SIMD16<UInt8>.self), y = unsafeBitCast(b, to: SIMD16<UInt8>.self)
    return select(asLanes((x ^ signToggle) .> (y ^ signToggle)), a, b)
  }

  /// Selects lanes of `a` where `mask` is all ones, and of `b` where it is zero.
  @inline(__always)
  private func select(_ mask: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
    (a & mask) | (b & ~mask)
  }
#endif
