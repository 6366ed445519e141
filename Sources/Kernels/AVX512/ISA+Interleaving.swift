import _Builtin_intrinsics.intel

/// The bytes of a line that `interleaveUnit` takes at once.
let unitChannels = 64

/// Interleaves 64 bytes of four lines into four vectors: lane by lane what lies one below the
/// other, as `dot` takes activations.
@inline(__always)
func interleaveUnit(
  _ line0: UnsafeRawPointer, _ line1: UnsafeRawPointer, _ line2: UnsafeRawPointer,
  _ line3: UnsafeRawPointer, isSigned: Bool, to target: UnsafeMutableRawPointer
) {
  let flip = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  let a = spread(line0, flip), b = spread(line1, flip)
  let c = spread(line2, flip), d = spread(line3, flip)
  let lowAB = _mm512_unpacklo_epi8(a, b), highAB = _mm512_unpackhi_epi8(a, b)
  let lowCD = _mm512_unpacklo_epi8(c, d), highCD = _mm512_unpackhi_epi8(c, d)
  store(sums(_mm512_unpacklo_epi16(lowAB, lowCD)), to: target)
  store(sums(_mm512_unpackhi_epi16(lowAB, lowCD)), to: target + 64)
  store(sums(_mm512_unpacklo_epi16(highAB, highCD)), to: target + 128)
  store(sums(_mm512_unpackhi_epi16(highAB, highCD)), to: target + 192)
}

/// Four bytes of every quarter of a line to each part of 16 bytes: unpacking works in these.
@inline(__always)
private func spread(_ line: UnsafeRawPointer, _ flip: SumVector) -> __m512i {
  _mm512_permutexvar_epi32(
    asBits(SumVector(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)),
    asBits(loadSums(line) ^ flip))
}

@inline(__always)
private func sums(_ vector: __m512i) -> SumVector { asLanes(vector) }
