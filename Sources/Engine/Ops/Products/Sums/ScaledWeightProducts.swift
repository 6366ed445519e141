/// A weight with the scale of its channel.
package struct ScaledWeight: BitwiseCopyable, Sendable {
  let value: Int32
  let scale: Float
}

/// Products of rounded floats and weights, every one of which is scaled before it is added.
package struct ScaledWeightProducts: Products {
  let inputScale: Float
  let inputZeroPoint: Int32

  init(inputScale: Float, inputZeroPoint: Int) {
    self.inputScale = inputScale
    self.inputZeroPoint = Int32(truncatingIfNeeded: inputZeroPoint)
  }

  package static var zero: Float { 0 }

  @inline(__always)
  package func adding(_ input: Int8, times weight: ScaledWeight, to sum: Float) -> Float {
    sum + Float((Int32(input) - inputZeroPoint) * weight.value) * weight.scale * inputScale
  }
}
