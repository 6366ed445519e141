import _Builtin_intrinsics.arm.neon

// Common to processors with the dot product of bytes.

/// The consecutive elements of the depth that one `dot` multiplies per lane.
let depthPerDot = 4
/// Whether activations are signed; unsigned ones have 128 subtracted.
let dotTakesSignedActivations = true

/// Adds to each lane the dot product of four signed bytes and four others.
@inline(__always)
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  // In this order, the instruction can take a single lane of the activations.
  vdotq_s32(sums, asBytes(weights), asBytes(activations))
}

/// Adds to each lane the dot product of four numbers from 0 to 15 and four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  dot(sums, nibbles, bytes)
}

/// Returns the sum of `count` signed bytes.
@inline(__always)
func sumOfBytes(_ row: UnsafeRawPointer, count: Int) -> Int32 {
  let ones = SumVector(repeating: 0x0101_0101)
  var sums = SumVector()
  var offset = 0
  while offset &+ sumVectorBytes <= count {
    sums = dot(sums, loadSums(row + offset), ones)
    offset &+= sumVectorBytes
  }
  var sum = vaddvq_s32(sums)
  if offset &+ 8 <= count {
    let bytes = unsafeBitCast(loadInt64(row + offset), to: int8x8_t.self)
    sum &+= vaddv_s32(vdot_s32(int32x2_t(), bytes, int8x8_t(repeating: 1)))
    offset &+= 8
  }
  while offset < count {
    sum &+= Int32(Int8(truncatingIfNeeded: loadByte(row + offset)))
    offset &+= 1
  }
  return sum
}
