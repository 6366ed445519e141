// Vectors of which only the first lanes are in memory, fewer than all. AVX-512 has masks for them.

#if !MASKS
  /// The first `count` lanes, and zeros.
  @inline(never)
  func loadLanes(_ address: UnsafeRawPointer, count: Int) -> FloatVector {
    var vector = FloatVector.zero
    withUnsafeMutableBytes(of: &vector) { bytes in
      copyShortFloats(address, to: bytes.baseAddress.unsafelyUnwrapped, count: count)
    }
    return vector
  }

  /// Stores the first `count` lanes.
  @inline(never)
  func storeLanes(_ vector: FloatVector, count: Int, to address: UnsafeMutableRawPointer) {
    var vector = vector
    withUnsafeMutableBytes(of: &vector) { bytes in
      copyShortFloats(bytes.baseAddress.unsafelyUnwrapped, to: address, count: count)
    }
  }
#endif
