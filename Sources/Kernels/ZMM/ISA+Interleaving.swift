import _Builtin_intrinsics.intel

/// The number of bytes of a row that `interleaveUnit` processes at once.
let unitChannels = 64

/// Interleaves 64 bytes of four rows: each lane gets four bytes of one column, the layout for
/// `dot`.
@inline(__always)
func interleaveUnit(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _ row2: UnsafeRawPointer,
  _ row3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  let signToggle = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  let vectors = interleavedInSegments(
    spread(row0, signToggle), spread(row1, signToggle), spread(row2, signToggle),
    spread(row3, signToggle))
  store(vectors.0, to: target)
  store(vectors.1, to: target + 64)
  store(vectors.2, to: target + 128)
  store(vectors.3, to: target + 192)
}

/// Interleaves the bytes of four vectors within each 16-byte segment.
///
/// The first result has the first four bytes of every vector, the second one the next four, and so
/// on.
@inline(__always)
func interleavedInSegments(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let lowAB = _mm512_unpacklo_epi8(asBits(a), asBits(b))
  let highAB = _mm512_unpackhi_epi8(asBits(a), asBits(b))
  let lowCD = _mm512_unpacklo_epi8(asBits(c), asBits(d))
  let highCD = _mm512_unpackhi_epi8(asBits(c), asBits(d))
  return (
    asLanes(_mm512_unpacklo_epi16(lowAB, lowCD)), asLanes(_mm512_unpackhi_epi16(lowAB, lowCD)),
    asLanes(_mm512_unpacklo_epi16(highAB, highCD)), asLanes(_mm512_unpackhi_epi16(highAB, highCD))
  )
}

/// Loads bytes of a row and moves four of every quarter to each 16-byte segment for unpacking.
@inline(__always)
private func spread(_ row: UnsafeRawPointer, _ signToggle: SumVector) -> SumVector {
  asLanes(
    _mm512_permutexvar_epi32(
      asBits(SumVector(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)),
      asBits(loadSums(row) ^ signToggle)))
}
