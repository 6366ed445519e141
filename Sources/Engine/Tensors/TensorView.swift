/// A tensor's memory, type and shape while a node runs.
///
/// A view does not own its bytes: it is valid inside the `run` that it was passed to.
package struct TensorView {
  package var type: ElementType
  package var shape: Shape
  package var quantization: Quantization?
  package var bytes: UnsafeMutableRawBufferPointer
  /// The control that stops the run, polled by loops over the elements; `nil` if nothing stops it.
  ///
  /// The run outlives the view.
  unowned(unsafe) package var control: RunControl?

  package init(
    type: ElementType, shape: Shape, quantization: Quantization? = nil,
    bytes: UnsafeMutableRawBufferPointer, control: RunControl? = nil
  ) {
    self.type = type
    self.shape = shape
    self.quantization = quantization
    self.bytes = bytes
    self.control = control
  }

  package var elementCount: Int { shape.elementCount }

  /// Returns the memory as elements of the type that the caller knows to be stored there.
  package func values<Element: BitwiseCopyable>(
    _: Element.Type = Element.self
  ) -> UnsafeMutableBufferPointer<Element> {
    let count = bytes.count / MemoryLayout<Element>.stride
    guard count > 0, let base = bytes.baseAddress else {
      return UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    return UnsafeMutableBufferPointer(
      start: base.assumingMemoryBound(to: Element.self), count: count)
  }

  /// The elements of an integer tensor, converted to `Int` on access.
  ///
  /// For operands that control the computation (shapes, axes, indices); `uint64` wraps, and tensors
  /// of other types have none.
  package var integers: IntegerElements { IntegerElements(self) }

  /// Copies all bytes to a tensor of the same size.
  package func copyBytes(to other: TensorView) {
    precondition(bytes.count == other.bytes.count, "tensors of different sizes")
    for chunk in StoppableChunks(ofBytes: bytes.count, control ?? other.control) {
      UnsafeMutableRawBufferPointer(rebasing: other.bytes[chunk])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[chunk]))
    }
  }
}
