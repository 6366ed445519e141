/// Transposes four lanes of four vectors.
@inline(__always)
func transposedSegments(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  (
    SumVector(a[0], b[0], c[0], d[0]), SumVector(a[1], b[1], c[1], d[1]),
    SumVector(a[2], b[2], c[2], d[2]), SumVector(a[3], b[3], c[3], d[3])
  )
}
