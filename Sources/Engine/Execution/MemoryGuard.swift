import OcellusPlatform
import Synchronization

/// Puts guard pages around all memory that interpreters allocate from then on, for tests to detect
/// accesses outside of it.
///
/// Every tensor, every constant, every block of packed weights and the working memory of every step
/// then has a mapping of its own between two guard pages. Touching a guard page kills the process.
/// A write between the memory and the farther guard page is detected when the memory is freed.
package enum MemoryGuard {
  /// The end of the memory that lies next to a guard page.
  package enum Placement: String, CaseIterable, Sendable {
    /// The last byte lies right before the guard page, except for a gap that alignment requires.
    case ending
    /// The first byte lies right after the guard page.
    case beginning
  }

  /// 0 without guard pages, else the placement's index in `allCases` plus 1.
  private static let wanted = Atomic(0)

  /// The placement of memory that is allocated from now on; `nil` for no guard pages.
  package static var placement: Placement? {
    get {
      let number = wanted.load(ordering: .relaxed)
      return number == 0 ? nil : Placement.allCases[number - 1]
    }
    set {
      let number = newValue.flatMap { Placement.allCases.firstIndex(of: $0) }
      wanted.store(number.map { $0 + 1 } ?? 0, ordering: .relaxed)
    }
  }

  package static var isOn: Bool {
    get { placement != nil }
    set { placement = newValue ? .ending : nil }
  }

  /// Maps zeroed memory between two guard pages.
  static func map(_ byteCount: Int, alignment: Int) -> GuardedPages? {
    placement.flatMap { GuardedPages(byteCount: byteCount, alignment: alignment, $0) }
  }
}

/// Zeroed memory between two guard pages.
struct GuardedPages {
  /// The value of the unused bytes between the guard pages.
  private static let filler: UInt8 = 0x5A

  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  /// All pages, including the two guard pages.
  private let mapping: UnsafeMutableRawBufferPointer

  /// Returns `nil` when the system has too little memory.
  fileprivate init?(byteCount: Int, alignment: Int, _ placement: MemoryGuard.Placement) {
    let page = Int(getpagesize())
    let (usedCount, overflow) = byteCount.addingReportingOverflow(page - 1)
    guard !overflow, usedCount < 1 << 46 else { return nil }
    let used = usedCount / page * page
    let pages = mmap(
      nil, used + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else { return nil }
    mapping = UnsafeMutableRawBufferPointer(start: pages, count: used + 2 * page)
    self.byteCount = byteCount
    let offset = placement == .ending ? (used - byteCount) / alignment * alignment : 0
    base = pages + page + offset
    mprotect(pages, page, PROT_NONE)
    mprotect(pages + page + used, page, PROT_NONE)
    for margin in margins {
      margin.initializeMemory(as: UInt8.self, repeating: Self.filler)
    }
  }

  /// The unused bytes between the memory and the guard pages.
  private var margins: [UnsafeMutableRawBufferPointer] {
    let page = Int(getpagesize())
    let first = base - page - (mapping.baseAddress ?? base)
    let end = first + byteCount + page
    return [page..<first + page, end..<mapping.count - page].map {
      UnsafeMutableRawBufferPointer(rebasing: mapping[$0])
    }
  }

  /// Unmaps the pages, and ends the process if anything was written outside the memory.
  func free() {
    for margin in margins where !margin.allSatisfy({ $0 == Self.filler }) {
      fatalError("something was written beside \(byteCount) bytes of memory")
    }
    munmap(mapping.baseAddress, mapping.count)
  }
}
