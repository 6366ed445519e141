/// STABLEHLO_ADD, STABLEHLO_MULTIPLY, STABLEHLO_MAXIMUM, STABLEHLO_MINIMUM and STABLEHLO_AND.
///
/// They resemble ADD, MUL and so on, but take more types and only equal shapes. On `bool`, a sum
/// and a maximum are a disjunction, a product and a minimum a conjunction.
package enum StableHLOArithmetic {
  package static let add = Binary.definition(
    "STABLEHLO_ADD", shapes: .equal, resultType: nil,
    [
      .init(Sum<Float16>()), .init(Sum<Float>()), .init(Sum<Double>()), .init(Sum<Int8>()),
      .init(Sum<UInt8>()), .init(Sum<Int16>()), .init(Sum<UInt16>()), .init(Sum<Int32>()),
      .init(Sum<UInt32>()), .init(Sum<Int64>()), .init(Sum<UInt64>()), .init(Disjunction()),
    ])

  package static let multiply = Binary.definition(
    "STABLEHLO_MULTIPLY", shapes: .equal, resultType: nil,
    [
      .init(Product<Float16>()), .init(Product<Float>()), .init(Product<Double>()),
      .init(Product<Int8>()), .init(Product<UInt8>()), .init(Product<Int16>()),
      .init(Product<UInt16>()), .init(Product<Int32>()), .init(Product<UInt32>()),
      .init(Product<Int64>()), .init(Product<UInt64>()), .init(Conjunction()),
    ])

  // The operands are swapped, since these operators return the first one if either is NaN.
  package static let maximum = Binary.definition(
    "STABLEHLO_MAXIMUM", shapes: .equal, resultType: nil,
    [
      .init(Swapped(Maximum<Float16>())), .init(Swapped(Maximum<Float>())),
      .init(Swapped(Maximum<Double>())), .init(Maximum<Int8>()), .init(Maximum<UInt8>()),
      .init(Maximum<Int16>()), .init(Maximum<UInt16>()), .init(Maximum<Int32>()),
      .init(Maximum<UInt32>()), .init(Maximum<Int64>()), .init(Maximum<UInt64>()),
      .init(Disjunction()),
    ])

  package static let minimum = Binary.definition(
    "STABLEHLO_MINIMUM", shapes: .equal, resultType: nil,
    [
      .init(Swapped(Minimum<Float16>())), .init(Swapped(Minimum<Float>())),
      .init(Swapped(Minimum<Double>())), .init(Minimum<Int8>()), .init(Minimum<UInt8>()),
      .init(Minimum<Int16>()), .init(Minimum<UInt16>()), .init(Minimum<Int32>()),
      .init(Minimum<UInt32>()), .init(Minimum<Int64>()), .init(Minimum<UInt64>()),
      .init(Conjunction()),
    ])

  package static let and = Binary.definition(
    "STABLEHLO_AND", shapes: .equal, resultType: nil,
    [
      .init(CommonBits<Int8>()), .init(CommonBits<UInt8>()), .init(CommonBits<Int16>()),
      .init(CommonBits<UInt16>()), .init(CommonBits<Int32>()), .init(CommonBits<UInt32>()),
      .init(CommonBits<Int64>()), .init(CommonBits<UInt64>()), .init(Conjunction()),
    ])
}

private struct CommonBits<Value: FixedWidthInteger & TensorElement>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value { a & b }
}
