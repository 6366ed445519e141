import Glibc
import Synchronization

/// Zeroed memory, aligned for any vector, that an interpreter's budget is charged for.
///
/// Unchecked: who writes it is the owner's business; folded constants, which interpreters share,
/// are not written any more.
final class MemoryBlock: @unchecked Sendable {
  static let alignment = 64
  /// From this size on memory comes from the system in pages that cost nothing until touched.
  private static let pageThreshold = 1 << 17

  let byteCount: Int
  let base: UnsafeMutableRawPointer
  private let account: MemoryAccount

  init(
    byteCount: Int, account: MemoryAccount, for purpose: () -> String
  ) throws(ModelError) {
    try account.charge(byteCount, for: purpose)
    if byteCount >= Self.pageThreshold {
      let pages = mmap(
        nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let pages, pages != MAP_FAILED else {
        account.refund(byteCount)
        throw ModelError(.overBudget, "the system has no \(byteCount) bytes for \(purpose())")
      }
      base = pages
    } else {
      base = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
      base.initializeMemory(as: UInt8.self, repeating: 0, count: max(byteCount, 1))
    }
    self.byteCount = byteCount
    self.account = account
  }

  deinit {
    if byteCount >= Self.pageThreshold { munmap(base, byteCount) } else { base.deallocate() }
    account.refund(byteCount)
  }
}

/// What an interpreter's budget has left in bytes.
///
/// Charged by one thread, but folded constants may be refunded by another interpreter's.
final class MemoryAccount: Sendable {
  let limit: Int
  private let usedBytes = Atomic(0)

  var used: Int { usedBytes.load(ordering: .relaxed) }

  init(limit: Int) { self.limit = limit }

  func charge(_ byteCount: Int, for purpose: () -> String) throws(ModelError) {
    guard byteCount <= limit - used else {
      throw ModelError(
        .overBudget,
        "\(purpose()) needs \(byteCount) bytes, but only \(limit - used) of the "
          + "budget of \(limit) bytes are left")
    }
    usedBytes.wrappingAdd(byteCount, ordering: .relaxed)
  }

  func refund(_ byteCount: Int) { usedBytes.wrappingSubtract(byteCount, ordering: .relaxed) }
}
