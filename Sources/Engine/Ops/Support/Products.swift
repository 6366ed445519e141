/// How one number of an input and one weight are multiplied and added to a sum.
package protocol Products {
  associatedtype Input: BitwiseCopyable
  associatedtype Weight: BitwiseCopyable
  associatedtype Sum: BitwiseCopyable

  static var zero: Sum { get }
  func adding(_ input: Input, times weight: Weight, to sum: Sum) -> Sum
}

extension Products {
  /// Adds the products of two runs of numbers, one after the other.
  @inline(__always)
  package func adding(
    _ input: UnsafePointer<Input>, times weights: UnsafePointer<Weight>, count: Int, to sum: Sum
  ) -> Sum {
    var sum = sum
    for index in 0..<count { sum = adding(input[index], times: weights[index], to: sum) }
    return sum
  }
}

package struct FloatProducts: Products {
  package static var zero: Float { 0 }

  @inline(__always)
  package func adding(_ input: Float, times weight: Float, to sum: Float) -> Float {
    sum + input * weight
  }
}

/// Products of quantized numbers, which wrap around as the official kernels' do.
package struct IntegerProducts<
  Input: FixedWidthInteger & BitwiseCopyable, Weight: FixedWidthInteger & BitwiseCopyable,
  Sum: FixedWidthInteger & BitwiseCopyable
>: Products {
  package let inputZeroPoint: Sum
  package let weightZeroPoint: Sum

  package init(inputZeroPoint: Int, weightZeroPoint: Int = 0) {
    self.inputZeroPoint = Sum(truncatingIfNeeded: inputZeroPoint)
    self.weightZeroPoint = Sum(truncatingIfNeeded: weightZeroPoint)
  }

  package static var zero: Sum { 0 }

  @inline(__always)
  package func adding(_ input: Input, times weight: Weight, to sum: Sum) -> Sum {
    sum &+ (Sum(truncatingIfNeeded: input) &- inputZeroPoint)
      &* (Sum(truncatingIfNeeded: weight) &- weightZeroPoint)
  }
}
