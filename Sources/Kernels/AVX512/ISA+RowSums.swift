import _Builtin_intrinsics.intel

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
  if offset < count {
    sums = dot(sums, firstBytes(row + offset, count: count &- offset), ones)
  }
  let eight = sums.lowHalf &+ sums.highHalf
  let four = eight.lowHalf &+ eight.highHalf
  let two = four.lowHalf &+ four.highHalf
  return two[0] &+ two[1]
}

/// Returns the sums of `count` bytes in each of four rows.
@inline(__always)
func sumsOfBytes(
  _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeRawPointer, _ d: UnsafeRawPointer,
  count: Int, isSigned: Bool
) -> SIMD4<Int32> {
  let ones = SumVector(repeating: 0x0101_0101)
  @inline(__always)
  func add(_ sums: SumVector, _ bytes: SumVector) -> SumVector {
    // The first operand of `dot` is unsigned, the second signed.
    isSigned ? dot(sums, ones, bytes) : dot(sums, bytes, ones)
  }
  var (first, second, third, fourth) = (SumVector(), SumVector(), SumVector(), SumVector())
  var offset = 0
  while offset &+ sumVectorBytes <= count {
    first = add(first, loadSums(a + offset))
    second = add(second, loadSums(b + offset))
    third = add(third, loadSums(c + offset))
    fourth = add(fourth, loadSums(d + offset))
    offset &+= sumVectorBytes
  }
  if offset < count {
    let rest = count &- offset
    first = add(first, firstBytes(a + offset, count: rest))
    second = add(second, firstBytes(b + offset, count: rest))
    third = add(third, firstBytes(c + offset, count: rest))
    fourth = add(fourth, firstBytes(d + offset, count: rest))
  }
  let lanes = transposedSegments(first, second, third, fourth)
  let four = (lanes.0 &+ lanes.1) &+ (lanes.2 &+ lanes.3)
  let two = four.lowHalf &+ four.highHalf
  return two.lowHalf &+ two.highHalf
}

/// Loads fewer bytes than a vector has, and sets the others to zero.
@inline(__always)
private func firstBytes(_ address: UnsafeRawPointer, count: Int) -> SumVector {
  let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
  return asLanes(_mm512_maskz_loadu_epi8(mask, address))
}
