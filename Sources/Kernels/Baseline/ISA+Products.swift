#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

/// A vector of doubles of the size of `SumVector`.
typealias DoubleVector = SIMD2<Double>

/// Adds to each lane the dot product of two pairs of 16-bit numbers.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector { dot(sums, x, y) }

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  #if arch(x86_64)
    // The sum of two such products is far from saturation.
    let pairs = _mm_maddubs_epi16(
      asBits(nibbles), asBits(bytes))
    return dot(sums, asLanes(pairs), SumVector(repeating: 0x0001_0001))
  #else
    let first = ((nibbles &<< 24) &>> 24) &* ((bytes &<< 24) &>> 24)
    let second = ((nibbles &<< 16) &>> 24) &* ((bytes &<< 16) &>> 24)
    let third = ((nibbles &<< 8) &>> 24) &* ((bytes &<< 8) &>> 24)
    return sums &+ first &+ second &+ third &+ (nibbles &>> 24) &* (bytes &>> 24)
  #endif
}

/// Loads one 16-bit integer per lane.
@inline(__always)
func int16sToLanes(_ address: UnsafeRawPointer) -> SumVector {
  let first = loadInt32(address), second = loadInt32(address + 4)
  return (SumVector(first, first, second, second) &<< SumVector(16, 0, 16, 0)) &>> 16
}

/// Stores lanes that fit 16 bits as 16-bit integers.
@inline(__always)
func storeInt16s(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  let low = (x[0] & 0xFFFF) | (x[1] &<< 16), high = (x[2] & 0xFFFF) | (x[3] &<< 16)
  store(low, to: output)
  store(high, to: output + 4)
}

/// Converts the lower and the upper half of the lanes to doubles.
@inline(__always)
func doubles(_ x: SumVector) -> (low: DoubleVector, high: DoubleVector) {
  (DoubleVector(Double(x[0]), Double(x[1])), DoubleVector(Double(x[2]), Double(x[3])))
}

/// Truncates doubles to integers; results out of range are `Int32.min`.
@inline(__always)
func truncated(low: DoubleVector, high: DoubleVector) -> SumVector {
  SumVector(truncated(low[0]), truncated(low[1]), truncated(high[0]), truncated(high[1]))
}

@inline(__always)
private func truncated(_ x: Double) -> Int32 {
  x > -0x1p31 - 1 && x < 0x1p31 ? Int32(x) : Int32.min
}

/// Returns the sums of adjacent lanes in the lower half; the upper half is unspecified.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector {
  let first = x[0] &+ x[1], second = x[2] &+ x[3]
  return SumVector(first, second, first, second)
}
