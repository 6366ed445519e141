// Floats in double precision, half a vector each.

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector {
  DoubleVector(Double(x[0]), Double(x[1]))
}

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector {
  DoubleVector(Double(x[2]), Double(x[3]))
}

/// Rounds two vectors to the halves of one.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(Float(low[0]), Float(low[1]), Float(high[0]), Float(high[1]))
}
