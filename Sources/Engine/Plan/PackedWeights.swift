import OcellusPlatform
import Synchronization

/// The packed weights of one model, shared by all its interpreters.
///
/// A plan first requests all its blocks, each charged to the interpreter that requests it first,
/// and packs them when it is complete. A plan that exceeds its budget has touched no memory.
package final class PackedWeights: Sendable {
  /// The key of a block: the kernels that read it, and everything else that determines its
  /// contents.
  ///
  /// Fields that differ most often come first: nodes of unrolled networks are compared with many
  /// others.
  struct Purpose: Equatable {
    var byteCount: Int
    /// The numbers that come from shapes and not from the weights; see
    /// `PlanContext.packedWeights`.
    var layout: [Int]
    /// The tensors of the subgraph that determine everything else, if they do: nodes that read the
    /// same tensors share a block.
    var tensors: [Int]
    var kernels: String
    var name: String

    /// Returns the owner under which blocks for this purpose are looked up.
    func owner(_ node: NodeSpec) -> Owner {
      let tensor = tensors.first { $0 >= 0 }
      return Owner(
        subgraph: node.subgraph, number: tensor.map { 2 * $0 + 1 } ?? 2 * node.index)
    }
  }

  /// A node, or the first of the tensors that determine a block.
  struct Owner {
    var subgraph: Int
    /// Even for nodes, odd for tensors.
    var number: Int
  }

  private struct Entry {
    var purpose: Purpose
    /// The packed block; `nil` if the plan that requested it failed.
    var block: PackedBlock?
    /// The position of an earlier entry of the same owner.
    var previous: Int?
  }

  /// A block that has not been packed yet.
  ///
  /// Unchecked: `pack` reads constants only, and is called once, by the thread that has taken it
  /// from the list.
  private struct Packing: @unchecked Sendable {
    var position: Int
    var pack: (UnsafeMutableRawPointer) -> Void
  }

  private struct Entries {
    var all: [Entry] = []
    /// The position of the last entry of each owner.
    private var last = NodeTable<Int?>(nil)
    var unpacked: [Packing] = []

    func block(for purpose: Purpose, of owner: Owner) -> PackedBlock? {
      var position = last[owner.number, in: owner.subgraph]
      while let current = position {
        if all[current].purpose == purpose, let block = all[current].block { return block }
        position = all[current].previous
      }
      return nil
    }

    mutating func add(_ block: PackedBlock, for purpose: Purpose, of owner: Owner) -> Int {
      let previous = last[owner.number, in: owner.subgraph]
      all.append(Entry(purpose: purpose, block: block, previous: previous))
      last[owner.number, in: owner.subgraph] = all.count - 1
      return all.count - 1
    }

    mutating func removeUnpacked() -> [Packing] {
      defer { unpacked = [] }
      return unpacked
    }
  }

  private let entries = Mutex(Entries())
  private let memory: Mutex<PackingMemory>
  /// Held while a thread packs.
  private let packing = Mutex(())

  /// - Parameter weightByteCount: The size of the model's weights in its file, which is about their
  ///   size when packed.
  package init(weightByteCount: Int) {
    memory = Mutex(PackingMemory(expectedByteCount: weightByteCount))
  }

  /// The total size of all blocks.
  var byteCount: Int {
    entries.withLock { $0.all.reduce(0) { $0 + ($1.block?.byteCount ?? 0) } }
  }

  /// Returns the block of a node: an existing one, or a new one that `pack` fills before the plan
  /// is complete, but after the block that it points to.
  func block(
    for purpose: Purpose, of node: NodeSpec, pointingTo other: PackedBlock? = nil,
    account: MemoryAccount, pack: @escaping (UnsafeMutableRawPointer) -> Void
  ) throws(ModelError) -> PackedBlock {
    let (owner, byteCount) = (purpose.owner(node), purpose.byteCount)
    if let known = entries.withLock({ $0.block(for: purpose, of: owner) }) { return known }
    try account.charge(byteCount) { "packing the weights of \(node.operatorName)" }
    guard
      let made = memory.withLock({
        $0.allocate(byteCount, account: account, pointingTo: other)
      })
    else {
      account.refund(byteCount)
      throw node.error("the system has no \(byteCount) bytes for packed weights", .overBudget)
    }
    let packing = Packing(position: 0, pack: pack)
    return entries.withLock { entries in
      // Another interpreter may have been faster.
      if let earlier = entries.block(for: purpose, of: owner) { return earlier }
      let position = entries.add(made, for: purpose, of: owner)
      entries.unpacked.append(Packing(position: position, pack: packing.pack))
      return made
    }
  }

  /// Packs all requested blocks; on return they are packed, by this thread or another.
  func packAll() {
    packing.withLock { _ in
      for packing in entries.withLock({ $0.removeUnpacked() }) { pack(packing) }
    }
  }

  /// Forgets the blocks that a failed plan has requested, but packs those that another interpreter
  /// has started to use.
  func forgetUnused() {
    packing.withLock { _ in
      var unpacked = entries.withLock { $0.removeUnpacked() }
      var used: [Packing] = []
      // Backwards, because forgetting a block releases the earlier one that it points to.
      while let packing = unpacked.popLast() {
        if !forget(packing) { used.append(packing) }
      }
      for packing in used.reversed() { pack(packing) }
    }
  }

  /// Forgets the blocks of steps that a plan has replaced by others before it was complete.
  func forgetReplaced() {
    packing.withLock { _ in
      var unpacked = entries.withLock { $0.removeUnpacked() }
      var used: [Packing] = []
      while let packing = unpacked.popLast() {
        if !forget(packing) { used.append(packing) }
      }
      entries.withLock { $0.unpacked = used.reversed() + $0.unpacked }
    }
  }

  /// Forgets a block unless it is in use, and returns whether it did.
  private func forget(_ packing: Packing) -> Bool {
    entries.withLock { entries in
      guard isKnownUniquelyReferenced(&entries.all[packing.position].block) else { return false }
      entries.all[packing.position].block = nil
      return true
    }
  }

  private func pack(_ packing: Packing) {
    guard let block = entries.withLock({ $0.all[packing.position].block }) else { return }
    block.populate()
    packing.pack(block.base)
  }
}
