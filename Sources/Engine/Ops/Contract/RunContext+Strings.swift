import OcellusModelFile

extension RunContext {
  /// Returns the strings of an operand.
  package func strings(of tensor: TensorView) throws(ModelError) -> StringTensor {
    do { return try StringTensor(tensor) } catch {
      // The strings of a stopped run were not all read: then the stop is the error.
      try checkpoint()
      throw self.error(error.description)
    }
  }

  /// Makes a result of strings, which `string` returns by index.
  package func makeStrings(
    _ position: Int, shape: Shape, _ string: (Int) -> UnsafeRawBufferPointer
  ) throws(ModelError) {
    let count = shape.elementCount
    let byteCount = PackedStrings.byteCount(count: count, isOver: { control.isOver }, string)
    // If the run was stopped, the byte count is incomplete.
    try checkpoint()
    guard let byteCount else {
      throw error("makes more strings than a tensor can hold", .overBudget)
    }
    let output = try makeOutput(position, shape: shape, byteCount: byteCount)
    PackedStrings.encode(count: count, to: output.bytes, isOver: { control.isOver }, string)
  }
}
