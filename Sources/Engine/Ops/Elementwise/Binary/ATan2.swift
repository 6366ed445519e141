import OcellusPlatform

/// ATAN2: the angle of the point with y = first operand and x = second operand.
package enum ATan2 {
  package static let definition = Binary.definition(
    "ATAN2", shapes: .equal, resultType: nil,
    [
      .init(Angle<Float>()), .init(Angle<Float16>()), .init(Angle<BFloat16>()),
      .init(DoubleAngle()),
    ])
}

private struct Angle<Value: FloatElement & TensorElement>: BinaryFunction {
  func callAsFunction(_ y: Value, _ x: Value) -> Value { Value(atan2f(y.single, x.single)) }
}

private struct DoubleAngle: BinaryFunction {
  func callAsFunction(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
}
