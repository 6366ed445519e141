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

  /// Adds the products of a run of numbers with up to four rows of weights, a sum for each.
  ///
  /// Where rows are missing, the last one is taken again.
  @inline(__always)
  package func add(
    _ input: UnsafePointer<Input>, times weights: UnsafePointer<Weight>, rows: Int,
    apart distance: Int, count: Int, to sums: inout FourSums<Sum>
  ) {
    let (first, second) = (weights, weights + min(1, rows - 1) * distance)
    let (third, fourth) =
      (weights + min(2, rows - 1) * distance, weights + min(3, rows - 1) * distance)
    // Copied for the optimiser, which does not keep what an address was taken of in registers.
    var (a, b, c, d) = (sums.first, sums.second, sums.third, sums.fourth)
    for index in 0..<count {
      let number = input[index]
      a = adding(number, times: first[index], to: a)
      b = adding(number, times: second[index], to: b)
      c = adding(number, times: third[index], to: c)
      d = adding(number, times: fourth[index], to: d)
    }
    sums = FourSums(first: a, second: b, third: c, fourth: d)
  }
}

/// Four sums that grow side by side: while one waits for its last addition, the others go on.
package struct FourSums<Sum> {
  var first: Sum
  var second: Sum
  var third: Sum
  var fourth: Sum

  @inline(__always)
  package subscript(index: Int) -> Sum {
    switch index {
    case 0: first
    case 1: second
    case 2: third
    default: fourth
    }
  }
}

extension FourSums {
  @inline(__always)
  package init(repeating sum: Sum) {
    self.init(first: sum, second: sum, third: sum, fourth: sum)
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
