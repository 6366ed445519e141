import OcellusKernelABI

/// A number type with sums and products as the official kernels compute them: integers wrap.
package protocol PlainArithmetic: TensorElement, Comparable, Numeric {
  static func sum(_ a: Self, _ b: Self) -> Self
  static func difference(_ a: Self, _ b: Self) -> Self
  static func product(_ a: Self, _ b: Self) -> Self

  /// Returns the interval to which an activation limits results of this type.
  static func range(of activation: FusedActivation) -> ClosedRange<Self>
}

extension PlainArithmetic where Self: FixedWidthInteger {
  package static func sum(_ a: Self, _ b: Self) -> Self { a &+ b }
  package static func difference(_ a: Self, _ b: Self) -> Self { a &- b }
  package static func product(_ a: Self, _ b: Self) -> Self { a &* b }
  package static func range(of activation: FusedActivation) -> ClosedRange<Self> {
    activation.integerRange(of: Self.self)
  }
}

extension PlainArithmetic where Self: BinaryFloatingPoint {
  package static func sum(_ a: Self, _ b: Self) -> Self { a + b }
  package static func difference(_ a: Self, _ b: Self) -> Self { a - b }
  package static func product(_ a: Self, _ b: Self) -> Self { a * b }
  package static func range(of activation: FusedActivation) -> ClosedRange<Self> {
    activation.floatRange(of: Self.self)
  }
}

extension Float: PlainArithmetic {}
extension Float16: PlainArithmetic {}
extension Double: PlainArithmetic {}
extension Int8: PlainArithmetic {}
extension UInt8: PlainArithmetic {}
extension Int16: PlainArithmetic {}
extension UInt16: PlainArithmetic {}
extension Int32: PlainArithmetic {}
extension UInt32: PlainArithmetic {}
extension Int64: PlainArithmetic {}
extension UInt64: PlainArithmetic {}

/// `a + b`.
package struct Sum<Value: PlainArithmetic>: BinaryFunction {
  package func callAsFunction(_ a: Value, _ b: Value) -> Value { .sum(a, b) }
  package var tuned: BinaryArithmetic? { .floats(.add, orIntegers: .add, of: Value.self) }
}

/// `a - b`.
package struct Difference<Value: PlainArithmetic>: BinaryFunction {
  package func callAsFunction(_ a: Value, _ b: Value) -> Value { .difference(a, b) }
  package var tuned: BinaryArithmetic? { .floats(.subtract, orIntegers: .subtract, of: Value.self) }
}

/// `a * b`.
package struct Product<Value: PlainArithmetic>: BinaryFunction {
  package func callAsFunction(_ a: Value, _ b: Value) -> Value { .product(a, b) }
  package var tuned: BinaryArithmetic? { .floats(.multiply, orIntegers: .multiply, of: Value.self) }
}
