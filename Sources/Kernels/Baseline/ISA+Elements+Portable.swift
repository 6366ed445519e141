#if !arch(x86_64)
  // Elements smaller than a lane, processed lane by lane.

  /// Loads one signed byte per lane.
  @inline(__always)
  func loadSignedBytes(_ address: UnsafeRawPointer) -> SumVector {
    bytesToLanes(address, isSigned: true)
  }

  @inline(__always)
  func squareRoot(_ x: FloatVector) -> FloatVector {
    FloatVector(
      x[0].squareRoot(), x[1].squareRoot(), x[2].squareRoot(), x[3].squareRoot())
  }

  /// Whether any lane is negative.
  @inline(__always)
  func hasNegativeLane(_ x: SumVector) -> Bool { min(min(x[0], x[1]), min(x[2], x[3])) < 0 }

  /// Looks up every byte in a table of 16 by its lower four bits; bytes from 128 on give 0.
  @inline(__always)
  func shuffled(_ table: SumVector, by bytes: SumVector) -> SumVector {
    let entries = unsafeBitCast(table, to: SIMD16<UInt8>.self)
    var result = unsafeBitCast(bytes, to: SIMD16<UInt8>.self)
    for index in 0..<16 {
      let byte = result[index]
      result[index] = byte < 128 ? entries[Int(byte & 15)] : 0
    }
    return asLanes(result)
  }

  /// Subtracts signed bytes with saturation.
  @inline(__always)
  func subtractSaturatingBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
    let subtrahends = unsafeBitCast(b, to: SIMD16<Int8>.self)
    var result = unsafeBitCast(a, to: SIMD16<Int8>.self)
    for index in 0..<16 {
      let difference = Int(result[index]) &- Int(subtrahends[index])
      result[index] = Int8(truncatingIfNeeded: larger(-128, smaller(127, difference)))
    }
    return asLanes(result)
  }

  /// Selects lanes of `a` where the sign bit of `choice` is set, else of `b`.
  @inline(__always)
  func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
    let mask = choice &>> 31
    let bits =
      (asLanes(a) & mask)
      | (asLanes(b) & ~mask)
    return unsafeBitCast(bits, to: FloatVector.self)
  }
#endif
