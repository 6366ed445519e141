/// The number of elements that are sorted without a check whether the run is over.
private let blockLength = 1 << 12

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
  /// Returns the number of scratch elements for sorting `count` elements.
  package static func scratchCountForSorting(_ count: Int) -> Int {
    count > blockLength ? count : 0
  }

  /// Sorts all elements by sorting blocks and merging them, which can be stopped in between.
  ///
  /// After a stopped sort, the order is arbitrary and some elements may be duplicated in place of
  /// others.
  ///
  /// - Precondition: of two different elements, one precedes the other.
  package func sort(
    in scratch: UnsafeMutableBufferPointer<Element>, _ control: RunControl?,
    by precedes: (Element, Element) -> Bool
  ) {
    for start in stride(from: 0, to: count, by: blockLength) {
      if start > 0 && control?.isOver == true { return }
      var block = Self(rebasing: self[start..<Swift.min(start + blockLength, count)])
      block.sort(by: precedes)
    }
    var work = StoppableWork(control)
    var (source, target) = (self, scratch)
    var length = blockLength
    while length < count {
      for start in stride(from: 0, to: count, by: 2 * length) {
        let middle = Swift.min(start + length, count)
        let end = Swift.min(middle + length, count)
        source.merge(start..<middle, middle..<end, into: target, &work, by: precedes)
        if work.isOver(after: 0) { return }
      }
      swap(&source, &target)
      length *= 2
    }
    guard source.baseAddress != baseAddress else { return }
    for chunk in StoppableChunks(of: count, control) {
      for index in chunk { self[index] = source[index] }
    }
  }

  @inline(__always)
  private func merge(
    _ first: Range<Int>, _ second: Range<Int>, into target: Self, _ work: inout StoppableWork,
    by precedes: (Element, Element) -> Bool
  ) {
    var (left, right) = (first.lowerBound, second.lowerBound)
    for index in first.lowerBound..<second.upperBound {
      if work.isOver(after: 2) { return }
      let isRightNext =
        left == first.upperBound
        || right < second.upperBound && precedes(self[right], self[left])
      target[index] = isRightNext ? self[right] : self[left]
      if isRightNext { right += 1 } else { left += 1 }
    }
  }
}
