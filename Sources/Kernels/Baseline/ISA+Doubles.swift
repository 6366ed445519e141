// Doubles, half as many per vector as floats.

@inline(__always)
func doublesOfLowHalf(_ x: FloatVector) -> DoubleVector {
  DoubleVector(Double(x[0]), Double(x[1]))
}

@inline(__always)
func doublesOfHighHalf(_ x: FloatVector) -> DoubleVector {
  DoubleVector(Double(x[2]), Double(x[3]))
}

/// Rounds two vectors of doubles to the halves of a vector of floats.
@inline(__always)
func floats(_ low: DoubleVector, _ high: DoubleVector) -> FloatVector {
  FloatVector(Float(low[0]), Float(low[1]), Float(high[0]), Float(high[1]))
}
