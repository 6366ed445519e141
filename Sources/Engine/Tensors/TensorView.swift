/// A tensor's memory while a node runs, with what is known of it.
///
/// A view does not own its bytes: it is valid inside the `run` that it was handed to.
package struct TensorView {
  package var type: ElementType
  package var shape: Shape
  package var quantization: Quantization?
  package var bytes: UnsafeMutableRawBufferPointer

  package init(
    type: ElementType, shape: Shape, quantization: Quantization? = nil,
    bytes: UnsafeMutableRawBufferPointer
  ) {
    self.type = type
    self.shape = shape
    self.quantization = quantization
    self.bytes = bytes
  }

  package var elementCount: Int { shape.elementCount }

  /// The memory as elements of the type that the caller has made sure is stored there.
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

  /// The elements of an integer tensor, widened.
  ///
  /// For operands that say how to compute (shapes, axes, paddings); `uint64` wraps.
  package var integers: [Int] {
    switch type {
    case .int8: values(Int8.self).map(Int.init)
    case .uint8, .bool: values(UInt8.self).map(Int.init)
    case .int16: values(Int16.self).map(Int.init)
    case .uint16: values(UInt16.self).map(Int.init)
    case .int32, .resource: values(Int32.self).map(Int.init)
    case .uint32: values(UInt32.self).map(Int.init)
    case .int64: values(Int64.self).map(Int.init)
    case .uint64: values(UInt64.self).map { Int(truncatingIfNeeded: $0) }
    default: []
    }
  }

  /// Copies all bytes to a tensor of the same size.
  package func copyBytes(to other: TensorView) {
    precondition(bytes.count == other.bytes.count, "tensors of different sizes")
    other.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
  }
}
