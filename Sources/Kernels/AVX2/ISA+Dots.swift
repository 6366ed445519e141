import _Builtin_intrinsics.intel

// AVX2 multiplies bytes as 16-bit numbers, two products per lane and instruction, because
// `vpmaddubsw` saturates.

let instructionSetName = "avx2"
/// The consecutive elements of the depth that one `dot` multiplies per lane.
let depthPerDot = 2

/// Adds to each lane the dot product of two pairs of 16-bit numbers.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  dotPairs(sums, activations, weights)
}

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  // The sum of two such products is far from saturation.
  let pairs = _mm256_maddubs_epi16(
    asBits(nibbles), asBits(bytes))
  return dotPairs(sums, asLanes(pairs), SumVector(repeating: 0x0001_0001))
}

/// The number of bytes of a row that `interleaveUnit` processes at once.
let unitChannels = 16

/// Interleaves 16 bytes of two rows to two vectors of activations for `dot`.
@inline(__always)
func interleaveUnit(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _: UnsafeRawPointer, _: UnsafeRawPointer,
  isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  let a = row0.loadUnaligned(as: __m128i.self), b = row1.loadUnaligned(as: __m128i.self)
  store(widened(_mm_unpacklo_epi8(a, b), isSigned: isSigned), to: target)
  store(widened(_mm_unpackhi_epi8(a, b), isSigned: isSigned), to: target + sumVectorBytes)
}

/// Interleaves the bytes of two rows for one vector.
@inline(__always)
func interleaved(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _: UnsafeRawPointer, _: UnsafeRawPointer,
  isSigned: Bool
) -> SumVector {
  let both = _mm_unpacklo_epi8(
    _mm_cvtsi64_si128(loadInt64(row0)), _mm_cvtsi64_si128(loadInt64(row1)))
  return widened(both, isSigned: isSigned)
}
