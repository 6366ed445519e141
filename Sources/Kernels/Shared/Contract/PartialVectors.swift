// Vectors of which only the first lanes are in memory, fewer than all. AVX-512 has masks for them.

/// Rows that lie one behind the other in a vector, and where the first bytes of each go.
struct RowStarts {
  /// Up to four, and the bytes of one: a literal at every call, as is the number of rows.
  var count: Int
  var stride: Int
  /// The bytes to store of each.
  var length: Int
  /// The bytes to the place of the next row.
  var outputStride: Int
  /// Room for a vector.
  var scratch: UnsafeMutableRawPointer
}

/// The first `count` lanes of a vector, and zeros.
@inline(__always)
func firstLanes(_ vector: FloatVector, count: Int) -> FloatVector {
  // Negative in the lanes that stay.
  let distances = laneNumbers &- SumVector(repeating: Int32(truncatingIfNeeded: count))
  let stays = shiftRight(distances, SumVector(repeating: 31))
  return unsafeBitCast(asLanes(vector) & stays, to: FloatVector.self)
}

/// Every lane's number, from zero on.
var laneNumbers: SumVector {
  @inline(__always)
  get {
    let sixteen = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    return withUnsafeBytes(of: sixteen) { loadSums($0.baseAddress.unsafelyUnwrapped) }
  }
}

#if !MASKS && !MASKED_LOADS
  /// The first `count` lanes, and zeros.
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

  /// Stores the first bytes of the rows that a vector consists of.
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
