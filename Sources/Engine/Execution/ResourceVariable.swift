/// A variable that outlives runs, with its value in memory of its own.
final class ResourceVariable {
  let block: MemoryBlock
  private(set) var value: TensorView

  /// Copies a tensor into memory of its size.
  init(_ value: TensorView, in block: MemoryBlock) {
    self.block = block
    self.value = value
    assign(value)
  }

  /// Returns whether the value has this type and shape, so that another one can replace it.
  func holds(_ type: ElementType, _ shape: Shape) -> Bool {
    value.type == type && value.shape == shape
  }

  /// Copies a tensor of as many bytes as the variable has.
  ///
  /// The copy is completed even if the run is stopped: half a value would stay for later runs.
  func assign(_ value: TensorView) {
    var value = value
    value.control = nil
    self.value = value
    self.value.bytes = UnsafeMutableRawBufferPointer(
      start: block.base, count: value.bytes.count)
    value.copyBytes(to: self.value)
  }
}
