import Synchronization

/// Zeroed memory, aligned for any vector, that is charged to an interpreter's budget.
///
/// Unchecked: the owner decides who writes it. Folded constants, which interpreters share, are no
/// longer written once they exist.
final class MemoryBlock: @unchecked Sendable {
  static let alignment = ZeroedMemory.alignment

  private let memory: ZeroedMemory
  private let account: MemoryAccount
  private var isTouched = false

  var byteCount: Int { memory.byteCount }
  var base: UnsafeMutableRawPointer { memory.base }

  /// Charges the account and allocates the memory.
  ///
  /// `isPopulatedEagerly` says that all of the memory is written soon, so its small pages are
  /// populated now. With guard pages, `elementAlignment` is all the alignment that the memory gets.
  init(
    byteCount: Int, account: MemoryAccount, isPopulatedEagerly: Bool = false,
    elementAlignment: Int = MemoryBlock.alignment, for purpose: () -> String
  ) throws(ModelError) {
    try account.charge(byteCount, for: purpose)
    guard
      let memory = ZeroedMemory(
        byteCount: byteCount, isPopulatedEagerly: isPopulatedEagerly,
        elementAlignment: elementAlignment)
    else {
      account.refund(byteCount)
      throw ModelError(.overBudget, "the system has no \(byteCount) bytes for \(purpose())")
    }
    self.memory = memory
    self.account = account
  }

  /// Populates large pages before they are written for the first time.
  ///
  /// One call replaces a page fault for each large page, or for each of 512 small ones where the
  /// system has no large ones left.
  func populateBeforeUse(_ check: () throws(ModelError) -> Void) throws(ModelError) {
    if isTouched { return }
    isTouched = true
    try memory.populateLargePages(check)
  }

  deinit {
    memory.free()
    account.refund(byteCount)
  }
}

/// The count of bytes that an interpreter may still take from its budget.
///
/// One thread charges it, but another interpreter's thread may refund folded constants.
final class MemoryAccount: Sendable {
  private let limit: Int
  private let usedBytes = Atomic(0)
  private let peakUsedBytes = Atomic(0)
  /// The most bytes that may be used at the moment.
  private let bound: Atomic<Int>

  var used: Int { usedBytes.load(ordering: .relaxed) }

  /// The most bytes that were ever used.
  var peakUsed: Int { peakUsedBytes.load(ordering: .relaxed) }

  /// The number of bytes that can still be charged.
  var left: Int { bound.load(ordering: .relaxed) - used }

  init(limit: Int) {
    self.limit = limit
    bound = Atomic(limit)
  }

  /// Lets a run add at most half of the budget to what planning has used.
  ///
  /// The memory that a run adds depends on values, and a loop may double it again and again.
  func beginRun() { bound.store(min(limit, used + limit / 2), ordering: .relaxed) }

  func endRun() { bound.store(limit, ordering: .relaxed) }

  func charge(_ byteCount: Int, for purpose: () -> String) throws(ModelError) {
    guard byteCount <= left else {
      throw ModelError(
        .overBudget,
        "\(purpose()) needs \(byteCount) bytes, but only \(left) of the "
          + "budget of \(limit) bytes are left")
    }
    let sum = usedBytes.wrappingAdd(byteCount, ordering: .relaxed).newValue
    peakUsedBytes.max(sum, ordering: .relaxed)
  }

  func refund(_ byteCount: Int) { usedBytes.wrappingSubtract(byteCount, ordering: .relaxed) }
}
