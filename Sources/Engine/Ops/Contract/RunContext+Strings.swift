import OcellusModelFile

extension RunContext {
  /// The strings of an operand.
  package func strings(of tensor: TensorView) throws(ModelError) -> StringTensor {
    do { return try StringTensor(tensor) } catch {
      // When the run is stopped, not all strings have been looked at.
      try checkpoint()
      throw self.error(error.description)
    }
  }

  /// Makes a result of strings.
  package func makeStrings(
    _ position: Int, shape: Shape, _ string: (Int) -> UnsafeRawBufferPointer
  ) throws(ModelError) {
    let count = shape.elementCount
    let byteCount = PackedStrings.byteCount(count: count, isOver: { control.isOver }, string)
    // Strings that nobody has counted have no room.
    try checkpoint()
    guard let byteCount else {
      throw error("makes more strings than a tensor can hold", .overBudget)
    }
    let output = try makeOutput(position, shape: shape, byteCount: byteCount)
    PackedStrings.encode(count: count, to: output.bytes, isOver: { control.isOver }, string)
  }
}
