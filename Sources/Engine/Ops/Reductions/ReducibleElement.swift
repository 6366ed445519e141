/// A number type for reductions, with the initial values of folds.
package protocol ReducibleElement: PlainArithmetic {
  /// The type in which means and quantized sums accumulate.
  associatedtype Sum: PlainArithmetic

  static var zero: Self { get }
  static var one: Self { get }
  /// The initial value of a maximum; finite, as in the official kernels.
  static var lowest: Self { get }
  /// The initial value of a minimum.
  static var highest: Self { get }

  var widened: Sum { get }
  static func mean(of sum: Sum, count: Int) -> Self
}

extension ReducibleElement where Self: FixedWidthInteger, Sum: FixedWidthInteger {
  package static var one: Self { 1 }
  package static var lowest: Self { .min }
  package static var highest: Self { .max }
  package var widened: Sum { Sum(truncatingIfNeeded: self) }

  /// The mean of no elements is 0, since integers have no NaN.
  package static func mean(of sum: Sum, count: Int) -> Self {
    count == 0 ? 0 : Self(truncatingIfNeeded: Int64(sum) / Int64(count))
  }
}

extension Float: ReducibleElement {
  package static var one: Float { 1 }
  package static var lowest: Float { -.greatestFiniteMagnitude }
  package static var highest: Float { .greatestFiniteMagnitude }
  package var widened: Float { self }
  package static func mean(of sum: Float, count: Int) -> Float { sum / Float(count) }
}

extension Int8: ReducibleElement { package typealias Sum = Int32 }
extension UInt8: ReducibleElement { package typealias Sum = Int32 }
extension Int16: ReducibleElement { package typealias Sum = Int32 }
extension Int32: ReducibleElement { package typealias Sum = Int64 }
extension Int64: ReducibleElement { package typealias Sum = Int64 }
