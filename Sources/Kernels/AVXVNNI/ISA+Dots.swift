import _Builtin_intrinsics.intel

// AVX-VNNI: four products of bytes per lane and instruction, in vectors of 32 bytes.

/// The consecutive elements of the depth that one `dot` multiplies per lane.
let depthPerDot = 4
/// Whether activations are signed; here signed ones have 128 added.
let dotTakesSignedActivations = false

/// Adds to each lane the dot product of four unsigned bytes and four signed ones.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  #if EMULATED_DOTS
    // The products of the even bytes and those of the odd ones, as pairs of 16-bit numbers.
    let even = dotPairs(
      sums, activations & SumVector(repeating: 0x00FF_00FF),
      asLanes(_mm256_srai_epi16(_mm256_slli_epi16(asBits(weights), 8), 8)))
    return dotPairs(
      even, asLanes(_mm256_srli_epi16(asBits(activations), 8)),
      asLanes(_mm256_srai_epi16(asBits(weights), 8)))
  #else
    asLanes(_mm256_dpbusd_avx_epi32(asBits(sums), asBits(activations), asBits(weights)))
  #endif
}

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  dot(sums, nibbles, bytes)
}

/// Returns the sum of `count` unsigned bytes.
@inline(__always)
func sumOfBytes(_ row: UnsafeRawPointer, count: Int) -> Int32 {
  let ones = SumVector(repeating: 0x0101_0101)
  var sums = SumVector()
  var offset = 0
  while offset &+ sumVectorBytes <= count {
    sums = dot(sums, loadSums(row + offset), ones)
    offset &+= sumVectorBytes
  }
  var sum = sumOfLanes(sums)
  while offset < count {
    sum &+= Int32(loadByte(row + offset))
    offset &+= 1
  }
  return sum
}
