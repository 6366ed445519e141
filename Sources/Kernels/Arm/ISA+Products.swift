import _Builtin_intrinsics.arm.neon

/// Adds the dot products of a pair of 16-bit numbers in one lane of a row and those of four
/// columns.
///
/// The columns hold the first numbers of their pairs, followed by the second ones.
@inline(__always)
func addPairs(
  _ sums: SumVector, _ lane: Int, of row: SumVector, _ columns: SumVector
) -> SumVector {
  let row = asShorts(row), columns = asShorts(columns)
  let first = vmlal_s16(sums, columns.lowHalf, int16x4_t(repeating: row[2 &* lane]))
  return vmlal_high_s16(first, columns, int16x8_t(repeating: row[2 &* lane &+ 1]))
}

/// Adds to each lane the dot product of two pairs of 16-bit numbers.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector {
  let x = asShorts(x), y = asShorts(y)
  return sums &+ vpaddq_s32(vmull_s16(x.lowHalf, y.lowHalf), vmull_high_s16(x, y))
}
