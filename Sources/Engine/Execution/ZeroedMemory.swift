import Glibc

/// Zeroed memory, aligned for any vector.
///
/// Small pieces come from the heap, large ones from the system in pages that cost nothing until
/// they are touched.
struct ZeroedMemory {
  static let alignment = 64
  private static let pageThreshold = 1 << 17
  /// From here on a call for pages of its own costs less than clearing memory that is written next.
  private static let filledThreshold = 1 << 14
  /// The size of the pages that large pieces ask for: a fault then brings in 512 small ones.
  private static let largePage = 1 << 21

  let byteCount: Int
  let base: UnsafeMutableRawPointer
  /// What is mapped, where the piece has pages of its own.
  private var mapping: UnsafeMutableRawBufferPointer?

  /// Memory of so many bytes, or `nil` when the system has not so much.
  ///
  /// What is `isFilledAtOnce`, all of it soon, has its pages from the start: one call instead of a
  /// fault for each.
  init?(byteCount: Int, isFilledAtOnce: Bool = false) {
    self.byteCount = byteCount
    guard byteCount >= (isFilledAtOnce ? Self.filledThreshold : Self.pageThreshold) else {
      base = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
      base.initializeMemory(as: UInt8.self, repeating: 0, count: max(byteCount, 1))
      return
    }
    let wantsLargePages = byteCount >= Self.largePage
    let mappedCount = wantsLargePages ? byteCount + Self.largePage : byteCount
    let atOnce = isFilledAtOnce && !wantsLargePages ? MAP_POPULATE : 0
    let pages = mmap(
      nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | atOnce, -1, 0)
    guard let pages, pages != MAP_FAILED else { return nil }
    mapping = UnsafeMutableRawBufferPointer(start: pages, count: mappedCount)
    base = wantsLargePages ? pages.alignedUp(toMultipleOf: Self.largePage) : pages
    // Whole large pages only: the last, broken one would be resident to its end.
    let largeCount = byteCount / Self.largePage * Self.largePage
    if wantsLargePages { madvise(base, largeCount, MADV_HUGEPAGE) }
  }

  /// Gives the memory back, after which it must not be used.
  func free() {
    if let mapping { munmap(mapping.baseAddress, mapping.count) } else { base.deallocate() }
  }
}
