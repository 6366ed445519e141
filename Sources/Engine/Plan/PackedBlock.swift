/// Memory in a kernel's own layout, freed and refunded to the budget with its last reference.
package final class PackedBlock: @unchecked Sendable {
  // Unchecked: written only while it is made, read-only from then on.
  private let slab: PackingSlab
  private let offset: Int
  private let account: MemoryAccount
  /// A block that the contents of this one point to, kept alive as long as this one.
  private let other: PackedBlock?
  package let byteCount: Int

  /// The first byte, aligned to 64.
  package var base: UnsafeMutableRawPointer { slab.memory.base + offset }

  /// Makes a block inside a slab of memory; the account was charged before.
  init(
    of slab: PackingSlab, at offset: Int, byteCount: Int, account: MemoryAccount,
    pointingTo other: PackedBlock? = nil
  ) {
    (self.slab, self.offset) = (slab, offset)
    self.other = other
    self.byteCount = byteCount
    self.account = account
  }

  /// Makes a block in memory of its own.
  convenience init(
    byteCount: Int, account: MemoryAccount, for purpose: () -> String
  ) throws(ModelError) {
    try account.charge(byteCount, for: purpose)
    guard let slab = PackingSlab(byteCount: byteCount, isPopulatedEagerly: true) else {
      account.refund(byteCount)
      throw ModelError(.overBudget, "the system has no \(byteCount) bytes for \(purpose())")
    }
    self.init(of: slab, at: 0, byteCount: byteCount, account: account)
  }

  deinit { account.refund(byteCount) }

  /// Faults in the pages that are written next.
  func populate() { slab.populate(upTo: offset + byteCount) }
}
