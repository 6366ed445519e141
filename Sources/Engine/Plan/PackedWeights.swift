import Synchronization

/// Memory in a kernel's own layout; freed with its last user.
package final class PackedBlock: @unchecked Sendable {
  // Unchecked: written only while it is made, read-only from then on.
  private let memory: ZeroedMemory
  /// The first byte, aligned to 64.
  package var base: UnsafeMutableRawPointer { memory.base }
  package var byteCount: Int { memory.byteCount }

  package init(byteCount: Int) {
    guard let memory = ZeroedMemory(byteCount: byteCount, isFilledAtOnce: true) else {
      fatalError("the system has no \(byteCount) bytes for packed weights")
    }
    self.memory = memory
  }

  deinit { memory.free() }
}

/// The packed weights of one model, shared by all its interpreters.
package final class PackedWeights: Sendable {
  struct Key: Hashable {
    var subgraph: Int
    var node: Int
    var purpose: String
    var kernels: String
  }

  private let blocks = Mutex<[Key: PackedBlock]>([:])

  package init() {}

  /// What all blocks take together.
  var byteCount: Int { blocks.withLock { $0.values.reduce(0) { $0 + $1.byteCount } } }

  func block(_ key: Key, make: () -> PackedBlock) -> PackedBlock {
    if let block = blocks.withLock({ $0[key] }) { return block }
    // Packed outside the lock: two interpreters may both pack, and one result is kept.
    let made = make()
    return blocks.withLock { blocks in
      if let earlier = blocks[key] { return earlier }
      blocks[key] = made
      return made
    }
  }
}
