import OcellusModelFile

extension RunContext {
  /// The strings of an operand.
  package func strings(of tensor: TensorView) throws(ModelError) -> StringTensor {
    do { return try StringTensor(tensor) } catch { throw self.error(error.description) }
  }

  /// Makes a result of strings.
  package func makeStrings(
    _ position: Int, shape: Shape, _ string: (Int) -> UnsafeRawBufferPointer
  ) throws(ModelError) {
    let count = shape.elementCount
    guard let byteCount = PackedStrings.byteCount(count: count, string) else {
      throw error("makes more strings than a tensor can hold", .overBudget)
    }
    let output = try makeOutput(position, shape: shape, byteCount: byteCount)
    PackedStrings.encode(count: count, to: output.bytes, string)
  }
}
