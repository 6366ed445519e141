/// An array of C integers, to which C programs may point while this object exists.
package final class CIntegers {
  package let pointer: UnsafePointer<Int32>
  package let count: Int

  package init(_ numbers: [Int]) {
    count = numbers.count
    let copy = UnsafeMutablePointer<Int32>.allocate(capacity: max(count, 1))
    for (index, number) in numbers.enumerated() {
      (copy + index).initialize(to: Int32(truncatingIfNeeded: number))
    }
    pointer = UnsafePointer(copy)
  }

  deinit { pointer.deallocate() }
}
