// Assignment operators and operators with a scalar, derived from those of the instruction set.

@inline(__always)
func += (_ a: inout FloatVector, _ b: FloatVector) { a = a + b }

@inline(__always)
func -= (_ a: inout FloatVector, _ b: FloatVector) { a = a - b }

@inline(__always)
func *= (_ a: inout FloatVector, _ b: FloatVector) { a = a * b }

@inline(__always)
func += (_ a: inout DoubleVector, _ b: DoubleVector) { a = a + b }

@inline(__always)
func -= (_ a: inout DoubleVector, _ b: DoubleVector) { a = a - b }

@inline(__always)
func *= (_ a: inout DoubleVector, _ b: DoubleVector) { a = a * b }

@inline(__always)
func &= (_ a: inout SumVector, _ b: SumVector) { a = a & b }

@inline(__always)
func |= (_ a: inout SumVector, _ b: SumVector) { a = a | b }

@inline(__always)
func ^= (_ a: inout SumVector, _ b: SumVector) { a = a ^ b }

@inline(__always)
func & (_ a: SumVector, _ b: Int32) -> SumVector { a & SumVector(repeating: b) }

@inline(__always)
func &<< (_ a: SumVector, _ b: Int32) -> SumVector { a &<< SumVector(repeating: b) }

@inline(__always)
func &>> (_ a: SumVector, _ b: Int32) -> SumVector { a &>> SumVector(repeating: b) }

@inline(__always)
func & (_ a: WideVector, _ b: Int64) -> WideVector { a & WideVector(repeating: b) }

@inline(__always)
func &<< (_ a: WideVector, _ b: Int64) -> WideVector { a &<< WideVector(repeating: b) }

@inline(__always)
func &>> (_ a: WideVector, _ b: Int64) -> WideVector { a &>> WideVector(repeating: b) }

/// Returns the wrapping sum of all lanes.
@inline(__always)
func sumOfLanes(_ x: SumVector) -> Int32 {
  var sums = segment(x, 0)
  if segmentCount > 1 { sums = sums &+ segment(x, 1) }
  if segmentCount > 2 { sums = sums &+ segment(x, 2) &+ segment(x, 3) }
  return (sums[0] &+ sums[1]) &+ (sums[2] &+ sums[3])
}
