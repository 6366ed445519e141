// The matrix unit multiplies tiles of signed bytes; vectors only sum weights and rows here.

let depthPerDot = 4
let dotTakesSignedActivations = true

/// Adds to each lane the dot product of four signed bytes and four others.
func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
  var result = sums
  for lane in 0..<SumVector.scalarCount {
    for byte: Int32 in [0, 8, 16, 24] {
      let activation = (activations[lane] &<< (24 &- byte)) &>> 24
      let weight = (weights[lane] &<< (24 &- byte)) &>> 24
      result[lane] = result[lane] &+ activation &* weight
    }
  }
  return result
}

func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  dot(sums, nibbles, bytes)
}

/// Returns the sum of `count` signed bytes.
func sumOfBytes(_ row: UnsafeRawPointer, count: Int) -> Int32 {
  (0..<count).reduce(0) { $0 &+ loadByte(row + $1, isSigned: true) }
}
