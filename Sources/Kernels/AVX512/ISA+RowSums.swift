import _Builtin_intrinsics.intel

/// The sum of `count` unsigned bytes.
@inline(__always)
func sumOfBytes(_ row: UnsafeRawPointer, count: Int) -> Int32 {
  let ones = SumVector(repeating: 0x0101_0101)
  var sums = SumVector()
  var offset = 0
  while offset &+ sumVectorBytes <= count {
    sums = dot(sums, loadSums(row + offset), ones)
    offset &+= sumVectorBytes
  }
  if offset < count {
    // Bytes that are masked out are not read.
    let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: count &- offset)) &- 1
    let end = _mm512_maskz_loadu_epi8(mask, row + offset)
    sums = dot(sums, asLanes(end), ones)
  }
  let eight = sums.lowHalf &+ sums.highHalf
  let four = eight.lowHalf &+ eight.highHalf
  let two = four.lowHalf &+ four.highHalf
  return two[0] &+ two[1]
}
