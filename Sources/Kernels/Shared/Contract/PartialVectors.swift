// Loads and stores of the first lanes of a vector. AVX-512 has masks for them.

/// Up to four consecutive rows in a vector, of each of which the first bytes are stored.
struct RowStarts {
  /// The number of rows and the bytes of each in the vector, both literals at every call.
  var count: Int
  var stride: Int
  /// The number of bytes to store of each row.
  var length: Int
  /// The distance in bytes from one stored row to the next.
  var outputStride: Int
  /// Scratch memory for one vector.
  var scratch: UnsafeMutableRawPointer
}

/// Returns the first `count` lanes of a vector, and zeros in the others.
@inline(__always)
func firstLanes(_ vector: FloatVector, count: Int) -> FloatVector {
  // Negative in the lanes to keep.
  let distances = laneNumbers &- SumVector(repeating: Int32(truncatingIfNeeded: count))
  let stays = shiftRight(distances, SumVector(repeating: 31))
  return unsafeBitCast(asLanes(vector) & stays, to: FloatVector.self)
}

/// The indices of the lanes, starting at zero.
var laneNumbers: SumVector {
  @inline(__always)
  get {
    let sixteen = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    return withUnsafeBytes(of: sixteen) { loadSums($0.baseAddress.unsafelyUnwrapped) }
  }
}

#if !MASKS && !MASKED_LOADS
  /// Loads the first `count` lanes, and sets the others to zero.
  @inline(never)
  func loadLanes(_ address: UnsafeRawPointer, count: Int) -> FloatVector {
    var vector = FloatVector.zero
    withUnsafeMutableBytes(of: &vector) { bytes in
      copyShortFloats(address, to: bytes.baseAddress.unsafelyUnwrapped, count: count)
    }
    return vector
  }
#endif

#if !MASKS
  /// Stores the first `count` lanes.
  @inline(never)
  func storeLanes(_ vector: FloatVector, count: Int, to address: UnsafeMutableRawPointer) {
    var vector = vector
    withUnsafeMutableBytes(of: &vector) { bytes in
      copyShortFloats(bytes.baseAddress.unsafelyUnwrapped, to: address, count: count)
    }
  }

  /// Stores the first bytes of each row in a vector.
  @inline(__always)
  func storeRowStarts(
    _ bytes: SumVector, _ rows: RowStarts, to output: UnsafeMutableRawPointer
  ) {
    store(bytes, to: rows.scratch)
    for row in 0..<rows.count {
      copyBytes(
        rows.scratch + row &* rows.stride, to: output + row &* rows.outputStride,
        count: rows.length)
    }
  }
#endif
