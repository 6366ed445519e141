/// The elements along the last axis of a tensor.
package typealias Row<Element> = UnsafeMutableBufferPointer<Element>

extension TensorView {
  /// Calls `body` for every row of this tensor and of another one of the same shape, until the run is stopped.
  ///
  /// A row may have all elements of a tensor, so that `body` has to ask in the middle of it, too.
  @inline(__always)
  package func forEachRow<Element: BitwiseCopyable, Other: BitwiseCopyable>(
    with other: TensorView, _ body: (Row<Element>, Row<Other>) -> Void
  ) {
    let depth = shape[-1]
    guard depth > 0 else { return }
    let (elements, others) = (values(Element.self), other.values(Other.self))
    for chunk in chunks(of: elements.count / depth, workOfEach: depth) {
      for row in chunk {
        let start = row * depth
        body(
          Row(rebasing: elements[start..<start + depth]),
          Row(rebasing: others[start..<start + depth]))
      }
    }
  }
}

extension UnsafeMutableBufferPointer {
  /// Works all elements into one value, in their order; `nil` if the run is stopped before the last one.
  @inline(__always)
  func folded<Result>(
    from start: Result, _ control: RunControl?, _ combine: (Result, Element) -> Result
  ) -> Result? {
    var (result, seen) = (start, 0)
    for chunk in StoppableChunks(of: count, control) {
      for index in chunk { result = combine(result, self[index]) }
      seen = chunk.upperBound
    }
    return seen == count ? result : nil
  }

  /// Whether there is nothing else among the elements that are looked at before the run is stopped.
  @inline(__always)
  func allSatisfy(_ control: RunControl?, _ predicate: (Element) -> Bool) -> Bool {
    for chunk in StoppableChunks(of: count, control) {
      for index in chunk where !predicate(self[index]) { return false }
    }
    return true
  }

  /// Sets all elements to one value, unless the run is stopped.
  func update(repeating value: Element, _ control: RunControl?) {
    for chunk in StoppableChunks(of: count, control) {
      UnsafeMutableBufferPointer(rebasing: self[chunk]).update(repeating: value)
    }
  }
}
