/// The shapes and addresses of one subgraph's tensors, for one plan.
///
/// A plan for other shapes gets an instance of its own, which shares the constants, variables and
/// inputs. So planning can be abandoned halfway, and nothing points into the arena of a plan that
/// no longer exists.
final class TensorMemory {
  let subgraph: Subgraph
  let account: MemoryAccount
  var slots: [TensorSlot]
  /// The address of every tensor, `nil` for those without memory; steps read this table.
  let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// Scratch for observed tensors in the axis order of the file; as large as the largest so far.
  var reorderingScratch: [UInt8] = []
  /// Whether every input has memory of its own of the right size.
  private var hasPlacedInputs = false

  /// Takes the constants, at their addresses in the file, and the inputs' shapes that the file
  /// declares; `constantInputs` never change.
  init(
    of subgraph: Subgraph, constantInputs: [Int: TensorSpec] = [:], account: MemoryAccount
  ) throws(ModelError) {
    self.subgraph = subgraph
    self.account = account
    slots = .init(repeating: TensorSlot(), count: subgraph.tensors.count)
    addresses = .allocate(capacity: max(subgraph.tensors.count, 1))
    addresses.initialize(repeating: nil, count: subgraph.tensors.count)
    for tensor in subgraph.tensors {
      if tensor.constant != nil { try place(tensor, as: tensor) }
    }
    for input in subgraph.inputs {
      if let constant = constantInputs[input] {
        try place(constant, as: subgraph.tensors[input])
      } else {
        slots[input].shape = subgraph.tensors[input].shape
      }
    }
  }

  /// Takes another plan's constants, variables and inputs, some of which get new shapes.
  init(of other: TensorMemory, inputShapes: [Int: Shape]) throws(ModelError) {
    subgraph = other.subgraph
    account = other.account
    slots = .init(repeating: TensorSlot(), count: other.slots.count)
    addresses = .allocate(capacity: max(slots.count, 1))
    addresses.initialize(repeating: nil, count: slots.count)
    for tensor in subgraph.tensors where tensor.isConstant || tensor.isVariable {
      adopt(tensor.index, from: other)
    }
    for input in subgraph.inputs {
      adopt(input, from: other)
      if let shape = inputShapes[input] { slots[input].shape = shape }
    }
    try checkInputShapes()
    try placeVariables()
  }

  deinit { addresses.deallocate() }

  // MARK: Views

  /// Returns the shape of a tensor; the one in the file until the tensor is planned or computed.
  func shape(of tensor: Int) -> Shape { slots[tensor].shape ?? subgraph.tensors[tensor].shape }

  func view(_ tensor: Int) -> TensorView {
    TensorView(
      type: subgraph.tensors[tensor].type, shape: shape(of: tensor),
      quantization: subgraph.tensors[tensor].quantization,
      bytes: UnsafeMutableRawBufferPointer(
        start: addresses[tensor], count: addresses[tensor] == nil ? 0 : slots[tensor].byteCount))
  }

  /// Returns the size of a tensor of known shape; zero where elements vary in size.
  func byteCount(ofTensor tensor: Int) -> Int {
    let count = slots[tensor].shape?.elementCount ?? 0
    return subgraph.tensors[tensor].type.byteCount(ofElements: count) ?? 0
  }

  /// Returns the alignment of a tensor's elements; strings are read as words.
  func elementAlignment(ofTensor tensor: Int) -> Int {
    let type = subgraph.tensors[tensor].type
    return type.isPacked ? 1 : min(type.byteWidth ?? 8, 8)
  }

  // MARK: Allocation

  /// Gives a tensor memory of its own.
  @discardableResult
  func place(
    _ tensor: Int, byteCount: Int, isPopulatedEagerly: Bool = false
  ) throws(ModelError) -> MemoryBlock {
    let block = try MemoryBlock(
      byteCount: byteCount, account: account, isPopulatedEagerly: isPopulatedEagerly,
      elementAlignment: elementAlignment(ofTensor: tensor)
    ) {
      "tensor \(subgraph.tensors[tensor].label)"
    }
    slots[tensor].block = block
    slots[tensor].byteCount = byteCount
    addresses[tensor] = block.base
    return block
  }

  /// Gives a result memory of its own while the subgraph runs.
  func makeResult(
    _ tensor: Int, shape: Shape, byteCount: Int?, by node: Node
  ) throws(ModelError) {
    guard shape.isReasonable else {
      throw node.spec.error("makes the impossible shape \(shape)", .invalidData)
    }
    let byteCount =
      byteCount ?? subgraph.tensors[tensor].type.byteCount(ofElements: shape.elementCount) ?? 0
    slots[tensor].shape = shape
    if slots[tensor].block?.byteCount != byteCount {
      slots[tensor].block = nil
      try place(tensor, byteCount: byteCount)
    }
  }

  /// Drops the results of some nodes, before the arena that holds them is freed.
  func forgetResults(of nodes: ArraySlice<Node>) {
    for node in nodes {
      for output in node.outputs {
        slots[output] = TensorSlot()
        addresses[output] = nil
      }
    }
  }

  private func adopt(_ tensor: Int, from other: TensorMemory) {
    slots[tensor] = other.slots[tensor]
    addresses[tensor] = other.addresses[tensor]
  }

  // MARK: Constants

  /// Uses a constant directly from the file, or copies it if it is not aligned there.
  private func place(
    _ source: TensorSpec, as tensor: TensorSpec
  ) throws(ModelError) {
    guard let constant = source.constant else { return }
    guard source.shape.isReasonable else {
      throw ModelError(.malformed, "constant \(source.label) has the shape \(source.shape)")
    }
    slots[tensor.index].shape = source.shape
    slots[tensor.index].isConstant = true
    let isDense = source.sparsity == nil
    let needed = isDense ? source.type.byteCount(ofElements: source.shape.elementCount) : nil
    guard constant.count >= needed ?? 0 else {
      throw ModelError(
        .malformed, "constant \(source.label) has \(constant.count) of \(needed ?? 0) bytes")
    }
    slots[tensor.index].byteCount = needed ?? constant.count
    guard let address = constant.baseAddress else { return }
    if MemoryGuard.isOn {
      let bytes = UnsafeRawBufferPointer(start: address, count: needed ?? constant.count)
      try placeGuarded(bytes, as: tensor)
    } else if UInt(bitPattern: address) % UInt(min(tensor.type.byteWidth ?? 4, 8)) == 0 {
      addresses[tensor.index] = UnsafeMutableRawPointer(mutating: address)
    } else {
      let block = try place(tensor.index, byteCount: constant.count)
      block.base.copyMemory(from: address, byteCount: constant.count)
    }
  }

  /// Copies a constant between guard pages; no budget is charged for that.
  private func placeGuarded(
    _ constant: UnsafeRawBufferPointer, as tensor: TensorSpec
  ) throws(ModelError) {
    let block = try MemoryBlock(
      byteCount: constant.count, account: MemoryAccount(limit: .max),
      elementAlignment: elementAlignment(ofTensor: tensor.index)
    ) { "constant \(tensor.label)" }
    if let address = constant.baseAddress {
      block.base.copyMemory(from: address, byteCount: constant.count)
    }
    slots[tensor.index].block = block
    addresses[tensor.index] = block.base
  }

  // MARK: Inputs

  private func checkInputShapes() throws(ModelError) {
    for input in subgraph.inputs where !shape(of: input).isReasonable {
      let tensor = subgraph.tensors[input]
      throw ModelError(
        .mismatch, "input \(tensor.label) cannot have the shape \(shape(of: input))")
    }
  }

  /// Gives the inputs memory of their own, unless they have it.
  func placeInputs() throws(ModelError) {
    if hasPlacedInputs { return }
    for input in subgraph.inputs {
      let count = shape(of: input).elementCount
      guard let byteCount = subgraph.tensors[input].type.byteCount(ofElements: count) else {
        continue
      }
      if slots[input].block?.byteCount != byteCount || slots[input].byteCount != byteCount {
        try place(input, byteCount: byteCount)
      }
    }
    hasPlacedInputs = true
  }

  // MARK: Variables

  private func placeVariables() throws(ModelError) {
    for tensor in subgraph.tensors where tensor.isVariable && slots[tensor.index].block == nil {
      guard tensor.shape.isReasonable,
        let byteCount = tensor.type.byteCount(ofElements: tensor.shape.elementCount)
      else {
        throw ModelError(.malformed, "variable \(tensor.label) has the shape \(tensor.shape)")
      }
      slots[tensor.index].shape = tensor.shape
      try place(tensor.index, byteCount: byteCount)
    }
  }

  /// Sets variables to zero, and `int8` ones to the zero point, as the official runtime does.
  func resetVariables() {
    for tensor in subgraph.tensors where tensor.isVariable {
      guard !subgraph.inputs.contains(tensor.index), let block = slots[tensor.index].block else {
        continue
      }
      let zero = tensor.type == .int8 ? tensor.quantization?.zeroPoint ?? 0 : 0
      block.base.initializeMemory(
        as: Int8.self, repeating: Int8(truncatingIfNeeded: zero), count: block.byteCount)
    }
  }
}

/// The state of a tensor in a plan; its address is in `TensorMemory.addresses`.
struct TensorSlot: Sendable {
  /// `nil` until the tensor is planned or computed.
  var shape: Shape?
  var byteCount = 0
  /// The memory outside the arena, for inputs, variables, folded results and those made at run
  /// time.
  var block: MemoryBlock?
  /// Whether the value never changes: constants of the file and what was folded from them.
  var isConstant = false
  /// Whether planning knows the value, though it is not constant for the model.
  var isKnown = false
}
