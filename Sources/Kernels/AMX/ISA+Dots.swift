import _Builtin_intrinsics.intel

// The matrix unit (AMX) multiplies tiles of signed bytes; vectors only sum weights and rows here.

/// The consecutive elements of the depth that one `dot` multiplies per lane.
let depthPerDot = 4
/// Whether activations are signed; unsigned ones have 128 subtracted.
let dotTakesSignedActivations = true

/// Adds to each lane the dot product of four signed bytes and four others.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  // The instruction takes unsigned activations: 128 is added to them, and its products subtracted.
  let offset = SumVector(repeating: highestBits)
  let raised = _mm512_dpbusd_epi32(asBits(sums), asBits(activations ^ offset), asBits(weights))
  return asLanes(raised)
    &- asLanes(_mm512_dpbusd_epi32(asBits(SumVector.zero), asBits(offset), asBits(weights)))
}

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  dot(sums, nibbles, bytes)
}

/// Returns the sum of `count` signed bytes.
@inline(__always)
func sumOfBytes(_ row: UnsafeRawPointer, count: Int) -> Int32 {
  let ones = asBits(SumVector(repeating: packedOnes))
  var sums = SumVector.zero
  var offset = 0
  while offset &+ sumVectorBytes <= count {
    sums = asLanes(_mm512_dpbusd_epi32(asBits(sums), ones, asBits(loadSums(row + offset))))
    offset &+= sumVectorBytes
  }
  var sum = sumOfLanes(sums)
  while offset < count {
    sum &+= loadByte(row + offset, isSigned: true)
    offset &+= 1
  }
  return sum
}
