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
