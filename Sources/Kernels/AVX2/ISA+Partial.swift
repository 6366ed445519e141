import _Builtin_intrinsics.intel

/// The first `count` lanes, and zeros; memory behind them is not read.
@inline(__always)
func loadLanes(_ address: UnsafeRawPointer, count: Int) -> FloatVector {
  // The instruction reads the lanes whose mask is negative.
  let mask = laneNumbers &- SumVector(repeating: Int32(truncatingIfNeeded: count))
  return _mm256_maskload_ps(address.assumingMemoryBound(to: Float.self), asBits(mask))
}
