extension RunContext {
  /// Lends `body` the elements of a packed tensor, one byte each, in memory charged to the budget.
  func withUnpackedElements(
    of tensor: TensorView, _ body: (UnsafeMutableBufferPointer<Int8>) -> Void
  ) throws(ModelError) {
    try withScratch(Int8.self, count: tensor.elementCount) { elements in
      PackedIntegers.unpack(
        UnsafeRawBufferPointer(tensor.bytes), of: tensor.type, to: elements, control)
      body(elements)
    }
  }
}
