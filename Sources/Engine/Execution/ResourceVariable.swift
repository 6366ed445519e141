/// What a variable was last given, in memory of its own.
final class ResourceVariable {
  let block: MemoryBlock
  private(set) var value: TensorView

  /// Copies a tensor to memory of its size.
  init(_ value: TensorView, in block: MemoryBlock) {
    self.block = block
    self.value = value
    assign(value)
  }

  /// Copies a tensor of as many bytes as the variable has.
  func assign(_ value: TensorView) {
    self.value = value
    self.value.bytes = UnsafeMutableRawBufferPointer(
      start: block.base, count: value.bytes.count)
    value.copyBytes(to: self.value)
  }
}
