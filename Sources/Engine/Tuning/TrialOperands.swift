/// Operands, results and scratch of a node's steps while they are timed, apart from the tensors of
/// the plan.
final class TrialOperands {
  let context: StepContext
  private let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var blocks: [MemoryBlock] = []
  private let otherData: MemoryBlock
  /// The owners of what `context` points to.
  private let owners: (Node, Workers)

  /// Makes memory for a node as it runs in a plan: with the operands of what is fused into it.
  ///
  /// Constants are those of the plan, for steps may read them where they are.
  init(
    of node: Node, _ memory: TensorMemory, scratchByteCount: Int, _ workers: Workers
  ) throws(ModelError) {
    let count = memory.slots.count
    addresses = .allocate(capacity: max(count, 1))
    addresses.initialize(from: memory.addresses, count: count)
    owners = (node, workers)
    var blocks: [MemoryBlock] = []
    func makeBlock(_ byteCount: Int) throws(ModelError) -> MemoryBlock {
      let block = try MemoryBlock(byteCount: byteCount, account: memory.account) {
        "timing the strategies of \(node.spec.operatorName)"
      }
      blocks.append(block)
      return block
    }
    do throws(ModelError) {
      for tensor in Set(node.inputs + node.outputs) where tensor >= 0 {
        let slot = memory.slots[tensor]
        if slot.isConstant || slot.isKnown { continue }
        let block = try makeBlock(memory.byteCount(ofTensor: tensor))
        Self.fill(block, with: memory.subgraph.tensors[tensor].type)
        addresses[tensor] = block.base
      }
      let scratch = try makeBlock(scratchByteCount)
      otherData = try makeBlock(Self.otherByteCount)
      context = StepContext(
        inputs: node.inputTable, outputs: node.outputTable, addresses: addresses,
        scratch: scratch.base, workers: WorkersReference(workers))
    } catch {
      addresses.deallocate()
      throw error
    }
    self.blocks = blocks
  }

  deinit { addresses.deallocate() }

  /// Touches other data than the node's.
  ///
  /// In a run of the model, the nodes before this one do so, and its weights and most of its input
  /// are in a farther cache than they would be if nothing ran in between.
  func coolCaches() {
    for offset in stride(from: 0, to: Self.otherByteCount, by: 64) {
      let byte = otherData.base.load(fromByteOffset: offset, as: UInt8.self)
      otherData.base.storeBytes(of: byte &+ 1, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// More than the L1 cache of any processor.
  private static let otherByteCount = 1 << 18

  /// Fills memory with numbers that take kernels as long as those of real tensors.
  ///
  /// Arithmetic on subnormal floats takes longer, so floats are normal. Types whose elements may be
  /// indices stay zero.
  private static func fill(_ block: MemoryBlock, with type: ElementType) {
    var state: UInt32 = 1
    func next() -> UInt32 {
      // Numerical Recipes' linear congruential generator, whose high bits are random enough.
      state = state &* 1_664_525 &+ 1_013_904_223
      return state >> 8
    }
    switch type {
    case .float32:
      let floats = block.base.assumingMemoryBound(to: Float.self)
      for index in 0..<block.byteCount / 4 { floats[index] = Float(next()) / 0x80_0000 - 1 }
    case .int8, .uint8, .int16:
      let bytes = block.base.assumingMemoryBound(to: UInt8.self)
      for index in 0..<block.byteCount { bytes[index] = UInt8(truncatingIfNeeded: next() >> 8) }
    default: break
    }
  }
}
