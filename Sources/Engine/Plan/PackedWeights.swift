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
  /// What a node has packed, for which kernels, and all else that decides what is in there.
  struct Purpose: Equatable {
    var name: String
    var kernels: String
    /// The numbers that come from shapes and not from the weights; see
    /// `PlanContext.packedWeights`.
    var layout: [Int]
    var byteCount: Int
  }

  private struct Entry {
    var purpose: Purpose
    var block: PackedBlock
    /// The position of an earlier entry of the same node.
    var previous: Int?
  }

  private struct Entries {
    var all: [Entry] = []
    /// The positions of nodes' last entries, by numbers: keys of other types cost a program some
    /// time at its start.
    var last: [Int: Int] = [:]

    func block(for purpose: Purpose, of node: Int) -> PackedBlock? {
      var position = last[node]
      while let current = position {
        if all[current].purpose == purpose { return all[current].block }
        position = all[current].previous
      }
      return nil
    }
  }

  private let entries = Mutex(Entries())
  private let memory: Mutex<PackingMemory>

  /// - Parameter weightByteCount: What the weights of the model take in its file, about which
  ///   they take packed.
  package init(weightByteCount: Int) {
    memory = Mutex(PackingMemory(expectedByteCount: weightByteCount))
  }

  /// What all blocks take together.
  var byteCount: Int { entries.withLock { $0.all.reduce(0) { $0 + $1.block.byteCount } } }

  func block(
    for purpose: Purpose, of node: NodeSpec, byteCount: Int,
    pack: (UnsafeMutableRawPointer) -> Void
  ) -> PackedBlock {
    let key = node.subgraph << 32 | node.index
    if let known = entries.withLock({ $0.block(for: purpose, of: key) }) { return known }
    // Packed outside the lock: two interpreters may both pack, and one result is kept.
    let made = memory.withLock { $0.take(byteCount) }
    pack(made.base)
    return entries.withLock { entries in
      if let earlier = entries.block(for: purpose, of: key) { return earlier }
      entries.all.append(Entry(purpose: purpose, block: made, previous: entries.last[key]))
      entries.last[key] = entries.all.count - 1
      return made
    }
  }
}
