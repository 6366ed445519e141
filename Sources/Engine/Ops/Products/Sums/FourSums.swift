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
