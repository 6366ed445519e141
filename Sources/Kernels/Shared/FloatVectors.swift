/// `sum + a · b`, fused where the hardware fuses it; without, `addingProduct` would call a C
/// function lane by lane.
@inline(__always)
func multiplyAdd(_ sum: FloatVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
  #if FMA
    sum.addingProduct(a, b)
  #else
    sum + a * b
  #endif
}

/// Clamps as `std::min(std::max(x, low), high)` does: NaN passes.
@inline(__always)
func clamp(_ x: FloatVector, _ low: FloatVector, _ high: FloatVector) -> FloatVector {
  minimum(high, maximum(low, x))
}
