import OcellusPlatform
import Synchronization

/// Puts pages that nobody may touch beside all memory that interpreters take from then on, so that a test sees what
/// reads or writes outside of it.
///
/// Every tensor, every constant, every block of packed weights and the working memory of every step then has a mapping of
/// its own between two such pages. Whoever touches one is killed by the system; whoever writes between the memory and the
/// farther page is found out when the memory is given back.
package enum MemoryGuard {
  /// Which end of memory lies at a page that nobody may touch.
  package enum Placement: String, CaseIterable, Sendable {
    /// The last byte lies right before the page, but for what the alignment leaves over.
    case ending
    /// The first byte lies right behind the page.
    case beginning
  }

  /// 0 for none, else the number of a placement and 1.
  private static let wanted = Atomic(0)

  /// What memory gets from now on; `nil` if there are no guard pages.
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

  /// Zeroed memory between two guard pages.
  static func map(_ byteCount: Int, alignment: Int) -> GuardedPages? {
    placement.flatMap { GuardedPages(byteCount: byteCount, alignment: alignment, $0) }
  }
}

/// Zeroed memory between two pages that nobody may touch.
struct GuardedPages {
  /// What the rest of the pages between these is filled with.
  private static let filler: UInt8 = 0x5A

  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  /// All pages, with the two that nobody may touch.
  private let mapping: UnsafeMutableRawBufferPointer

  /// `nil` when the system has not so much.
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

  /// What lies between the memory and the pages that nobody may touch.
  private var margins: [UnsafeMutableRawBufferPointer] {
    let page = Int(getpagesize())
    let first = base - page - (mapping.baseAddress ?? base)
    let end = first + byteCount + page
    return [page..<first + page, end..<mapping.count - page].map {
      UnsafeMutableRawBufferPointer(rebasing: mapping[$0])
    }
  }

  /// Gives the pages back, and ends the process if somebody wrote beside the memory.
  func free() {
    for margin in margins where !margin.allSatisfy({ $0 == Self.filler }) {
      fatalError("something was written beside \(byteCount) bytes of memory")
    }
    munmap(mapping.baseAddress, mapping.count)
  }
}
