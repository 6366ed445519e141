/// The elements along the last axis of a tensor.
package typealias Row<Element> = UnsafeMutableBufferPointer<Element>

extension TensorView {
  /// Calls `body` for every row of this tensor and of `other`, which has the same shape, until the
  /// run is stopped.
  ///
  /// A row may have all elements of a tensor, so `body` too has to check for the stop.
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
  /// Combines all elements in order into one value; `nil` if the run is stopped before the last
  /// one.
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

  /// Returns whether all elements satisfy the predicate; if the run is stopped, the rest are not
  /// tested.
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
