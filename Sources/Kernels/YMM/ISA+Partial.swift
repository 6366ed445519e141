import _Builtin_intrinsics.intel

/// Loads the first `count` lanes, and sets the others to zero without reading them.
@inline(__always)
func loadLanes(_ address: UnsafeRawPointer, count: Int) -> FloatVector {
  // The instruction loads the lanes whose mask is negative.
  let mask = laneNumbers &- SumVector(repeating: Int32(truncatingIfNeeded: count))
  return _mm256_maskload_ps(address.assumingMemoryBound(to: Float.self), asBits(mask))
}
