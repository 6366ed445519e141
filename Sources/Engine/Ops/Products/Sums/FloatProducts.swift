/// Products of floats.
package struct FloatProducts: Products {
  package static var zero: Float { 0 }

  @inline(__always)
  package func adding(_ input: Float, times weight: Float, to sum: Float) -> Float {
    sum + input * weight
  }
}
