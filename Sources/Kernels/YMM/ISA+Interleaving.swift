import _Builtin_intrinsics.intel

/// Widens bytes to 16-bit numbers.
@inline(__always)
func widened(_ bytes: __m128i, isSigned: Bool) -> SumVector {
  asLanes(isSigned ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes))
}

/// Loads bytes as 16-bit numbers, the operands of `dotPairs`.
@inline(__always)
func loadWidened(_ address: UnsafeRawPointer, isSigned: Bool) -> SumVector {
  widened(address.loadUnaligned(as: __m128i.self), isSigned: isSigned)
}

/// Interleaves 16-bit numbers of two vectors within each 16-byte segment.
@inline(__always)
func interleavedWords(_ a: SumVector, _ b: SumVector) -> (low: SumVector, high: SumVector) {
  (
    asLanes(_mm256_unpacklo_epi16(asBits(a), asBits(b))),
    asLanes(_mm256_unpackhi_epi16(asBits(a), asBits(b)))
  )
}

/// Restores the order of the words in results that were computed from `interleavedWords`.
@inline(__always)
func wordsInOrder(low: SumVector, high: SumVector) -> (first: SumVector, second: SumVector) {
  (
    SumVector(lowHalf: low.lowHalf, highHalf: high.lowHalf),
    SumVector(lowHalf: low.highHalf, highHalf: high.highHalf)
  )
}

/// Adds 16-bit numbers, wrapping.
@inline(__always)
func addWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_add_epi16(asBits(a), asBits(b)))
}

/// Subtracts 16-bit numbers, wrapping.
@inline(__always)
func subtractWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_sub_epi16(asBits(a), asBits(b)))
}

/// Subtracts a number from all 16-bit numbers, wrapping.
@inline(__always)
func subtractFromWords(_ x: SumVector, _ number: Int32) -> SumVector {
  asLanes(_mm256_sub_epi16(asBits(x), _mm256_set1_epi16(Int16(truncatingIfNeeded: number))))
}
