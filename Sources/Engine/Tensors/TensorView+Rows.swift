/// The elements along the last axis of a tensor.
package typealias Row<Element> = UnsafeMutableBufferPointer<Element>

extension TensorView {
  /// Calls `body` for every row of this tensor and of another one of the same shape.
  @inline(__always)
  package func forEachRow<Element: BitwiseCopyable, Other: BitwiseCopyable>(
    with other: TensorView, _ body: (Row<Element>, Row<Other>) -> Void
  ) {
    let depth = shape[-1]
    guard depth > 0 else { return }
    let (elements, others) = (values(Element.self), other.values(Other.self))
    for start in stride(from: 0, to: elements.count, by: depth) {
      body(
        Row(rebasing: elements[start..<start + depth]),
        Row(rebasing: others[start..<start + depth]))
    }
  }
}
