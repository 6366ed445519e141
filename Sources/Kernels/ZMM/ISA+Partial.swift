import _Builtin_intrinsics.intel

// Loads and stores of the first lanes of a vector.

@inline(__always)
private func mask(_ count: Int) -> __mmask16 { __mmask16(truncatingIfNeeded: (1 &<< count) &- 1) }

/// Loads the first `count` lanes, and sets the others to zero.
@inline(__always)
func loadLanes(_ address: UnsafeRawPointer, count: Int) -> FloatVector {
  _mm512_maskz_loadu_ps(mask(count), address)
}

/// Stores the first `count` lanes.
@inline(__always)
func storeLanes(_ vector: FloatVector, count: Int, to address: UnsafeMutableRawPointer) {
  _mm512_mask_storeu_ps(address, mask(count), vector)
}

/// Stores the first bytes of each row in a vector.
///
/// A vector has four rows of 16 bytes, two of 32, or a longer one.
@inline(__always)
func storeRowStarts(
  _ bytes: SumVector, _ rows: RowStarts, to output: UnsafeMutableRawPointer
) {
  let mask = UInt64.max &>> (64 &- rows.length)
  switch rows.stride {
  case 16:
    for row in 0..<rows.count {
      _mm_mask_storeu_epi8(
        output + row &* rows.outputStride, __mmask16(truncatingIfNeeded: mask),
        unsafeBitCast(segment(bytes, row), to: __m128i.self))
    }
  case 32:
    for row in 0..<rows.count {
      _mm256_mask_storeu_epi8(
        output + row &* rows.outputStride, __mmask32(truncatingIfNeeded: mask),
        unsafeBitCast(row == 0 ? bytes.lowHalf : bytes.highHalf, to: __m256i.self))
    }
  default: _mm512_mask_storeu_epi8(output, mask, asBits(bytes))
  }
}
