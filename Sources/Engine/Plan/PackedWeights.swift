import Synchronization

/// Memory in a kernel's own layout; freed with its last user.
package final class PackedBlock: @unchecked Sendable {
  // Unchecked: written only while it is made, read-only from then on.
  package let bytes: UnsafeMutableRawBufferPointer
  /// The first byte, aligned to 64.
  package let base: UnsafeMutableRawPointer

  package init(byteCount: Int) {
    base = .allocate(byteCount: max(byteCount, 1), alignment: 64)
    bytes = UnsafeMutableRawBufferPointer(start: base, count: max(byteCount, 1))
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { base.deallocate() }
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
  var byteCount: Int { blocks.withLock { $0.values.reduce(0) { $0 + $1.bytes.count } } }

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
