/// One subgraph of one interpreter: its memory, its plan, and the loop that runs it.
final class SubgraphRunner {
  let subgraph: Subgraph
  unowned let session: Session
  var slots: [TensorSlot]
  /// The address of every tensor, `nil` for those without memory.
  let bases: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private(set) var segments: [PlanSegment] = []
  private var nodeStates: [Int: AnyObject] = [:]
  /// Whether the inputs have memory of their own for their present shapes.
  private var hasPlacedInputs = false

  init(_ subgraph: Subgraph, session: Session) throws(ModelError) {
    self.subgraph = subgraph
    self.session = session
    slots = .init(repeating: TensorSlot(), count: subgraph.tensors.count)
    bases = .allocate(capacity: max(subgraph.tensors.count, 1))
    bases.initialize(repeating: nil, count: subgraph.tensors.count)
    try placeConstants()
    for input in subgraph.inputs { slots[input].shape = subgraph.tensors[input].shape }
  }

  deinit { bases.deallocate() }

  var isPlanned: Bool { !segments.isEmpty }

  // MARK: Planning

  /// Plans for these shapes of the inputs, or throws and leaves everything as it was.
  ///
  /// `placesInputs` is for callers that fill the inputs in place.
  func plan(
    inputShapes: [Int: Shape], placesInputs: Bool = false
  ) throws(ModelError) {
    let before = (slots, segments, (0..<slots.count).map { bases[$0] })
    do {
      for (input, shape) in inputShapes { slots[input].shape = shape }
      segments = []
      hasPlacedInputs = false
      try checkInputShapes()
      if placesInputs { try placeInputs() }
      try placeVariables()
      segments = [try planSegment(from: 0, isRunning: false)]
    } catch {
      (slots, segments) = (before.0, before.1)
      for index in slots.indices { bases[index] = before.2[index] }
      throw error
    }
  }

  /// Keeps constants where the file has them, unless they are not aligned there.
  private func placeConstants() throws(ModelError) {
    for tensor in subgraph.tensors {
      guard let constant = tensor.constant else { continue }
      guard tensor.shape.isReasonable else {
        throw ModelError(.malformed, "constant \(tensor.label) has the shape \(tensor.shape)")
      }
      slots[tensor.index].shape = tensor.shape
      slots[tensor.index].isConstant = true
      let isDense = tensor.sparsity == nil
      let needed = isDense ? tensor.type.byteCount(ofElements: tensor.shape.elementCount) : nil
      guard constant.count >= needed ?? 0 else {
        throw ModelError(
          .malformed, "constant \(tensor.label) has \(constant.count) of \(needed ?? 0) bytes")
      }
      slots[tensor.index].byteCount = needed ?? constant.count
      guard let address = constant.baseAddress else { continue }
      if UInt(bitPattern: address) % UInt(min(tensor.type.byteWidth ?? 4, 8)) == 0 {
        bases[tensor.index] = UnsafeMutableRawPointer(mutating: address)
      } else {
        let block = try place(tensor.index, byteCount: constant.count)
        block.base.copyMemory(from: address, byteCount: constant.count)
      }
    }
  }

  private func checkInputShapes() throws(ModelError) {
    for input in subgraph.inputs {
      let tensor = subgraph.tensors[input]
      let shape = slots[input].shape ?? tensor.shape
      guard shape.isReasonable else {
        throw ModelError(.mismatch, "input \(tensor.label) cannot have the shape \(shape)")
      }
    }
  }

  /// Gives the inputs memory of their own, where they have not got it.
  func placeInputs() throws(ModelError) {
    if hasPlacedInputs { return }
    for input in subgraph.inputs {
      let tensor = subgraph.tensors[input]
      let count = (slots[input].shape ?? tensor.shape).elementCount
      guard let byteCount = tensor.type.byteCount(ofElements: count) else { continue }
      if slots[input].block?.byteCount != byteCount || slots[input].byteCount != byteCount {
        try place(input, byteCount: byteCount)
      }
    }
    hasPlacedInputs = true
  }

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
    resetVariables()
  }

  /// Sets variables to zero; `int8` ones to the zero point, as the official runtime does.
  func resetVariables() {
    let inputs = Set(subgraph.inputs)
    for tensor in subgraph.tensors where tensor.isVariable && !inputs.contains(tensor.index) {
      guard let block = slots[tensor.index].block else { continue }
      let zero = tensor.type == .int8 ? tensor.quantization?.zeroPoint ?? 0 : 0
      block.base.initializeMemory(
        as: Int8.self, repeating: Int8(truncatingIfNeeded: zero), count: block.byteCount)
    }
  }

  @discardableResult
  func place(
    _ tensor: Int, byteCount: Int, isFilledAtOnce: Bool = false
  ) throws(ModelError) -> MemoryBlock {
    let block = try MemoryBlock(
      byteCount: byteCount, account: session.account, isFilledAtOnce: isFilledAtOnce
    ) {
      "tensor \(subgraph.tensors[tensor].label)"
    }
    slots[tensor].block = block
    slots[tensor].byteCount = byteCount
    bases[tensor] = block.base
    return block
  }

  // MARK: Running

  func run() throws(ModelError) {
    try session.meter.check()
    var position = 0
    var nextNode = 0
    while nextNode < subgraph.nodes.count || position == 0 {
      var isUsable = position < segments.count
      if isUsable { isUsable = try stillFits(segments[position]) }
      if !isUsable {
        segments.removeSubrange(min(position, segments.count)...)
        segments.append(try planSegment(from: nextNode, isRunning: true))
      }
      try run(segments[position])
      nextNode = segments[position].nodes.upperBound
      position += 1
    }
  }

  /// Whether the shapes that were computed from data come out as when the segment was planned.
  private func stillFits(_ segment: PlanSegment) throws(ModelError) -> Bool {
    for (tensor, shape) in segment.entryShapes where slots[tensor].shape != shape { return false }
    for node in segment.dataDependentNodes {
      let shapes = try inferShapes(of: node, shapeContext(of: node))
      for (output, shape) in zip(node.outputs, shapes ?? [])
      where slots[output].shape != shape {
        return false
      }
    }
    return true
  }

  private func run(_ segment: PlanSegment) throws(ModelError) {
    guard let calls = segment.calls?.calls else { return }
    let meter = session.meter
    let observer = session.observer
    for index in calls.indices {
      try meter.check()
      try meter.charge(
        multiplyAdds: calls[index].cost, at: segment.plannedNodes[index].node.spec)
      if let observer {
        let step = ObservedStep(planned: segment.plannedNodes[index], runner: self)
        observer.willRun(step)
        try run(calls[index], index, of: segment)
        observer.didRun(step)
      } else {
        try run(calls[index], index, of: segment)
      }
    }
  }

  @inline(__always)
  private func run(
    _ call: StepCalls.Call, _ index: Int, of segment: PlanSegment
  ) throws(ModelError) {
    if let body = call.body { return body._withUnsafeGuaranteedRef { $0.run(call.context) } }
    let planned = segment.plannedNodes[index]
    if let step = planned.step, step.accepts?(call.context) ?? true {
      return step.body(call.context)
    }
    try planned.node.operation.run(RunContext(node: planned.node, runner: self))
  }

  // MARK: Tensors

  func view(_ tensor: Int) -> TensorView {
    TensorView(
      type: subgraph.tensors[tensor].type,
      shape: slots[tensor].shape ?? subgraph.tensors[tensor].shape,
      quantization: subgraph.tensors[tensor].quantization,
      bytes: UnsafeMutableRawBufferPointer(
        start: bases[tensor], count: bases[tensor] == nil ? 0 : slots[tensor].byteCount))
  }

  /// Gives a tensor memory of its own while the subgraph runs.
  func makeHeapTensor(
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

  func nodeState<State: AnyObject>(_ node: Node, _ make: () -> State) -> State {
    if let state = nodeStates[node.spec.index] as? State { return state }
    let state = make()
    nodeStates[node.spec.index] = state
    return state
  }

  /// Sets variables and what nodes remember back to how they were before the first run.
  func resetState() {
    resetVariables()
    nodeStates = [:]
  }
}
