import Synchronization

/// Memory in a kernel's own layout; freed with its last user.
package final class PackedBlock: @unchecked Sendable {
  // Unchecked: written only while it is made, read-only from then on.
  private let piece: PackingPiece
  /// The first byte, aligned to 64.
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int

  /// A block in memory of its own.
  package convenience init(byteCount: Int) {
    let piece = PackingPiece(byteCount: byteCount, isFilledAtOnce: true)
    self.init(of: piece, at: 0, byteCount: byteCount)
  }

  /// A part of a larger piece.
  init(of piece: PackingPiece, at offset: Int, byteCount: Int) {
    self.piece = piece
    base = piece.memory.base + offset
    self.byteCount = byteCount
  }
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
  private let memory: Mutex<PackingMemory>

  /// - Parameter weightByteCount: What the weights of the model take in its file, about which
  ///   they take packed.
  package init(weightByteCount: Int) {
    memory = Mutex(PackingMemory(expectedByteCount: weightByteCount))
  }

  /// What all blocks take together.
  var byteCount: Int { blocks.withLock { $0.values.reduce(0) { $0 + $1.byteCount } } }

  func block(
    _ key: Key, byteCount: Int, pack: (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    if let block = blocks.withLock({ $0[key] }) { return block }
    // Packed outside the lock: two interpreters may both pack, and one result is kept.
    let made = memory.withLock { $0.take(byteCount) }
    pack(made.base)
    return blocks.withLock { blocks in
      if let earlier = blocks[key] { return earlier }
      blocks[key] = made
      return made
    }
  }
}
