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
  /// What a node has packed and for which kernels.
  struct Purpose: Equatable {
    var name: String
    var kernels: String
  }

  private typealias Blocks = [(purpose: Purpose, block: PackedBlock)]

  /// By the numbers of subgraph and node: numbers as keys cost a program least at its start.
  private let blocks = Mutex<[Int: [Int: Blocks]]>([:])
  private let memory: Mutex<PackingMemory>

  /// - Parameter weightByteCount: What the weights of the model take in its file, about which
  ///   they take packed.
  package init(weightByteCount: Int) {
    memory = Mutex(PackingMemory(expectedByteCount: weightByteCount))
  }

  /// What all blocks take together.
  var byteCount: Int {
    blocks.withLock { subgraphs in
      subgraphs.values.joined().flatMap(\.value).reduce(0) { $0 + $1.block.byteCount }
    }
  }

  func block(
    for purpose: Purpose, of node: NodeSpec, byteCount: Int,
    pack: (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    let (subgraph, index) = (node.subgraph, node.index)
    let known = blocks.withLock { $0[subgraph]?[index]?.first { $0.purpose == purpose }?.block }
    if let known { return known }
    // Packed outside the lock: two interpreters may both pack, and one result is kept.
    let made = memory.withLock { $0.take(byteCount) }
    pack(made.base)
    return blocks.withLock { blocks in
      let others = blocks[subgraph]?[index] ?? []
      if let earlier = others.first(where: { $0.purpose == purpose }) { return earlier.block }
      blocks[subgraph, default: [:]][index, default: []].append((purpose, made))
      return made
    }
  }
}
