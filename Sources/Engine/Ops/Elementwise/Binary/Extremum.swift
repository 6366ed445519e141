import OcellusKernelABI

/// MAXIMUM and MINIMUM of pairs of elements; scales are ignored.
package enum Extremum {
  package static let maximum = Binary.definition(
    "MAXIMUM", versions: 1...4,
    [
      .init(Maximum<Float>()), .init(Maximum<Float16>()), .init(Maximum<BFloat16>()),
      .init(Maximum<Int8>()), .init(Maximum<UInt8>()), .init(Maximum<Int16>()),
      .init(Maximum<Int32>()), .init(Maximum<Int64>()),
    ])

  package static let minimum = Binary.definition(
    "MINIMUM", versions: 1...4,
    [
      .init(Minimum<Float>()), .init(Minimum<Float16>()), .init(Minimum<BFloat16>()),
      .init(Minimum<Int8>()), .init(Minimum<UInt8>()), .init(Minimum<Int16>()),
      .init(Minimum<Int32>()), .init(Minimum<Int64>()),
    ])
}

/// The greater element; the second where one is NaN.
struct Maximum<Value: TensorElement & Comparable>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value { a > b ? a : b }
  var tuned: BinaryArithmetic? { .floats(.maximum, orIntegers: .maximum, of: Value.self) }
}

/// The lesser element; the second where one is NaN.
struct Minimum<Value: TensorElement & Comparable>: BinaryFunction {
  func callAsFunction(_ a: Value, _ b: Value) -> Value { a < b ? a : b }
  var tuned: BinaryArithmetic? { .floats(.minimum, orIntegers: .minimum, of: Value.self) }
}
