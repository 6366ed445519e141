/// Where a tensor of a subgraph lives at the moment; its address is in `TensorMemory.addresses`.
struct TensorSlot: Sendable {
  /// `nil` until it is planned or made.
  var shape: Shape?
  var byteCount = 0
  /// The owner of memory outside the arena: inputs, variables, folded and made-at-run tensors.
  var block: MemoryBlock?
  /// Whether the value never changes: constants of the file and what was folded from them.
  var isConstant = false
  /// Whether the value is known while planning though it is not constant for the model.
  var isKnown = false
}
