import _Builtin_intrinsics.intel

// Vectors of which only the first lanes are in memory, fewer than all.

@inline(__always)
private func mask(_ count: Int) -> __mmask16 { __mmask16(truncatingIfNeeded: (1 &<< count) &- 1) }

/// The first `count` lanes, and zeros.
@inline(__always)
func loadLanes(_ address: UnsafeRawPointer, count: Int) -> FloatVector {
  _mm512_maskz_loadu_ps(mask(count), address)
}

/// Stores the first `count` lanes.
@inline(__always)
func storeLanes(_ vector: FloatVector, count: Int, to address: UnsafeMutableRawPointer) {
  _mm512_mask_storeu_ps(address, mask(count), vector)
}
