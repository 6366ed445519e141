import Synchronization

/// Zeroed memory, aligned for any vector, that an interpreter's budget is charged for.
///
/// Unchecked: who writes it is the owner's business; folded constants, which interpreters share,
/// are not written any more.
final class MemoryBlock: @unchecked Sendable {
  static let alignment = ZeroedMemory.alignment

  private let memory: ZeroedMemory
  private let account: MemoryAccount
  private var isTouched = false

  var byteCount: Int { memory.byteCount }
  var base: UnsafeMutableRawPointer { memory.base }

  /// Charges the account, and takes the memory.
  ///
  /// What is `isFilledAtOnce`, all of it soon, has its small pages from the start. Between guard pages, memory that
  /// holds elements alone is aligned for these only.
  init(
    byteCount: Int, account: MemoryAccount, isFilledAtOnce: Bool = false,
    elementAlignment: Int = MemoryBlock.alignment, for purpose: () -> String
  ) throws(ModelError) {
    try account.charge(byteCount, for: purpose)
    guard
      let memory = ZeroedMemory(
        byteCount: byteCount, isFilledAtOnce: isFilledAtOnce, elementAlignment: elementAlignment)
    else {
      account.refund(byteCount)
      throw ModelError(.overBudget, "the system has no \(byteCount) bytes for \(purpose())")
    }
    self.memory = memory
    self.account = account
  }

  /// Brings in large pages before they are written for the first time: by one call instead of a fault for each,
  /// or for 512 small ones where the system has no large ones left.
  func willTouch() {
    if isTouched { return }
    isTouched = true
    memory.populateLargePages()
  }

  deinit {
    memory.free()
    account.refund(byteCount)
  }
}

/// What an interpreter's budget has left in bytes.
///
/// Charged by one thread, but folded constants may be refunded by another interpreter's.
final class MemoryAccount: Sendable {
  private let limit: Int
  private let usedBytes = Atomic(0)
  private let mostUsedBytes = Atomic(0)
  /// What may be used at the moment.
  private let bound: Atomic<Int>

  var used: Int { usedBytes.load(ordering: .relaxed) }

  /// The most that was ever used.
  var mostUsed: Int { mostUsedBytes.load(ordering: .relaxed) }

  /// What can still be charged.
  var left: Int { bound.load(ordering: .relaxed) - used }

  init(limit: Int) {
    self.limit = limit
    bound = Atomic(limit)
  }

  /// From here on half of the budget may be added: what planning could not foresee depends on values
  /// and may be wanted by a loop that doubles it again and again.
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
    mostUsedBytes.max(sum, ordering: .relaxed)
  }

  func refund(_ byteCount: Int) { usedBytes.wrappingSubtract(byteCount, ordering: .relaxed) }
}
