import OcellusPlatform
import Synchronization

/// The packed weights of one model, shared by all its interpreters.
///
/// A plan first asks for all its blocks, each charged to the interpreter that is the first to want
/// it, and packs them when it is complete: one that is over its budget has touched no memory.
package final class PackedWeights: Sendable {
  /// What a node has packed, for which kernels, and all else that decides what is in there.
  ///
  /// What differs soonest comes first: nodes of unrolled networks compare with many others.
  struct Purpose: Equatable {
    var byteCount: Int
    /// The numbers that come from shapes and not from the weights; see
    /// `PlanContext.packedWeights`.
    var layout: [Int]
    /// The tensors of the subgraph that decide all else, if they do: nodes that read the same ones
    /// share a block.
    var tensors: [Int]
    var kernels: String
    var name: String

    /// What blocks are looked for by.
    func owner(_ node: NodeSpec) -> Owner {
      let tensor = tensors.first { $0 >= 0 }
      return Owner(
        subgraph: node.subgraph, number: tensor.map { 2 * $0 + 1 } ?? 2 * node.index)
    }
  }

  /// A node, or the first of the tensors that decide.
  struct Owner {
    var subgraph: Int
    /// Even ones are nodes', odd ones tensors'.
    var number: Int
  }

  private struct Entry {
    var purpose: Purpose
    /// `nil` where the plan that had asked for it came to nothing.
    var block: PackedBlock?
    /// The position of an earlier entry of the same owner.
    var previous: Int?
  }

  /// A block that is to be packed.
  ///
  /// Unchecked: what packs it is called once, by whoever has taken it from the list, and reads
  /// constants.
  private struct Packing: @unchecked Sendable {
    var position: Int
    var pack: (UnsafeMutableRawPointer) -> Void
  }

  private struct Entries {
    var all: [Entry] = []
    /// The positions of owners' last entries.
    private var last = PlaceTable<Int?>(nil)
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

    mutating func takeUnpacked() -> [Packing] {
      defer { unpacked = [] }
      return unpacked
    }
  }

  private let entries = Mutex(Entries())
  private let memory: Mutex<PackingMemory>
  /// Held while somebody packs.
  private let packing = Mutex(())

  /// - Parameter weightByteCount: What the weights of the model take in its file, about which
  ///   they take packed.
  package init(weightByteCount: Int) {
    memory = Mutex(PackingMemory(expectedByteCount: weightByteCount))
  }

  /// What all blocks take together.
  var byteCount: Int {
    entries.withLock { $0.all.reduce(0) { $0 + ($1.block?.byteCount ?? 0) } }
  }

  /// The block of a node: the one that there is, or a new one that `pack` fills before the plan
  /// is done, but after the one that it points to.
  func block(
    for purpose: Purpose, of node: NodeSpec, pointingTo other: PackedBlock? = nil,
    account: MemoryAccount, pack: @escaping (UnsafeMutableRawPointer) -> Void
  ) throws(ModelError) -> PackedBlock {
    let (owner, byteCount) = (purpose.owner(node), purpose.byteCount)
    if let known = entries.withLock({ $0.block(for: purpose, of: owner) }) { return known }
    try account.charge(byteCount) { "packing the weights of \(node.operatorName)" }
    guard
      let made = memory.withLock({
        $0.take(byteCount, account: account, pointingTo: other)
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

  /// Packs all blocks that were asked for; when it returns they are packed, by whomever.
  func packAll() {
    packing.withLock { _ in
      for packing in entries.withLock({ $0.takeUnpacked() }) { pack(packing) }
    }
  }

  /// Forgets the blocks that a plan has asked for which came to nothing; those that another
  /// interpreter has found in the meantime are packed.
  func forgetUnused() {
    packing.withLock { _ in
      var unpacked = entries.withLock { $0.takeUnpacked() }
      var used: [Packing] = []
      // From the last on, with which goes what points to those before.
      while let packing = unpacked.popLast() {
        if !forget(packing) { used.append(packing) }
      }
      for packing in used.reversed() { pack(packing) }
    }
  }

  /// Forgets a block unless somebody has it.
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
