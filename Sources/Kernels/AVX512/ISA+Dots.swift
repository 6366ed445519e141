import _Builtin_intrinsics.intel

// AVX-512 VNNI: four products of bytes per lane and instruction.

let instructionSetName = "avx512"
/// The consecutive elements of the depth that one `dot` multiplies per lane.
let depthPerDot = 4
/// Whether activations are signed; here signed ones have 128 added.
let dotTakesSignedActivations = false

/// Adds to each lane the dot product of four unsigned bytes and four signed ones.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  asLanes(
    _mm512_dpbusd_epi32(
      asBits(sums), asBits(activations),
      asBits(weights)))
}

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  dot(sums, nibbles, bytes)
}

/// Interleaves bytes of four rows: each lane gets those of one channel, as `dot` expects
/// activations.
@inline(__always)
func interleaved(
  _ row0: UnsafeRawPointer, _ row1: UnsafeRawPointer, _ row2: UnsafeRawPointer,
  _ row3: UnsafeRawPointer, isSigned: Bool
) -> SumVector {
  let rows = SumVector(
    lowHalf: SIMD8(lowHalf: loadInt32s(row0), highHalf: loadInt32s(row1)),
    highHalf: SIMD8(lowHalf: loadInt32s(row2), highHalf: loadInt32s(row3)))
  // Four channels of each row are moved to a 16-byte segment, and transposed there.
  let quads = _mm512_permutexvar_epi32(
    asBits(SumVector(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)),
    asBits(rows))
  let transposed = _mm512_shuffle_epi8(
    quads,
    asBits(
      SumVector(
        0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703,
        0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703,
        0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703,
        0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703)))
  let bytes = asLanes(transposed)
  return isSigned ? bytes ^ SumVector(repeating: Int32(bitPattern: 0x8080_8080)) : bytes
}
