import _Builtin_intrinsics.arm.neon

/// Adds the products of the two 16-bit numbers in a lane of a row with those of all columns: the first
/// numbers of four columns, then the second ones.
@inline(__always)
func addPairs(
  _ sums: SumVector, _ lane: Int, of row: SumVector, _ columns: SumVector
) -> SumVector {
  let row = asShorts(row), columns = asShorts(columns)
  let first = vmlal_s16(sums, columns.lowHalf, int16x4_t(repeating: row[2 &* lane]))
  return vmlal_high_s16(first, columns, int16x8_t(repeating: row[2 &* lane &+ 1]))
}

/// Adds, lane by lane, the products of two 16-bit numbers with two others.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector {
  let x = asShorts(x), y = asShorts(y)
  return sums &+ vpaddq_s32(vmull_s16(x.lowHalf, y.lowHalf), vmull_high_s16(x, y))
}
