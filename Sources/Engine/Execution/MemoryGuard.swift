import OcellusPlatform
import Synchronization

/// Puts pages that nobody may touch behind all memory that interpreters take from then on, so that
/// a fuzzer sees what reads or writes beyond its end.
package enum MemoryGuard {
  private static let isWanted = Atomic(false)

  package static var isOn: Bool {
    get { isWanted.load(ordering: .relaxed) }
    set { isWanted.store(newValue, ordering: .relaxed) }
  }

  /// Zeroed memory that ends with a page, but for what its alignment leaves over.
  static func map(
    _ byteCount: Int, alignment: Int
  ) -> (base: UnsafeMutableRawPointer, mapping: UnsafeMutableRawBufferPointer)? {
    let page = Int(getpagesize())
    let (usedCount, overflow) = max(byteCount, 1).addingReportingOverflow(page - 1)
    guard !overflow, usedCount < 1 << 46 else { return nil }
    let used = usedCount / page * page
    let pages = mmap(
      nil, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else { return nil }
    mprotect(pages + used, page, PROT_NONE)
    let start = (used - max(byteCount, 1)) / alignment * alignment
    return (pages + start, UnsafeMutableRawBufferPointer(start: pages, count: used + page))
  }
}
