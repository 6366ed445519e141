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
