/// A convolution whose window moves over its first operand, with weights in the second.
package protocol WindowedConvolution: Operator {
  var window: WindowOptions { get }
  var arithmetic: WeightedArithmetic { get }

  /// Returns a tuned step in this arithmetic, if there is one.
  func step(_ arithmetic: WeightedArithmetic, _ context: PlanContext) -> Step?
}

extension WindowedConvolution {
  /// Returns the geometry of the window over an input of this shape, if it fits.
  package func geometry(input: Shape, weights: Shape) -> WindowGeometry? {
    window.geometry(over: input, tapRows: weights[1], tapColumns: weights[2])
  }

  package func outputShape(
    input: Shape, weights: Shape, channels: Int, _ context: ShapeContext
  ) throws(ModelError) -> Shape {
    guard let geometry = geometry(input: input, weights: weights) else {
      throw context.error("the window does not fit into the input")
    }
    return [input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, channels]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let (input, weights) = (context.shape(0), context.shape(1))
    guard let geometry = geometry(input: input, weights: weights) else { return 0 }
    return saturatingProduct(
      input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, weights.elementCount)
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    step(arithmetic, context)
  }

  package func plan(
    _ context: PlanContext, clampingTo range: ClosedRange<Float>
  ) throws(ModelError) -> Step? {
    arithmetic.clamped(to: range).flatMap { step($0, context) }
  }
}
