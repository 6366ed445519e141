import OcellusPlatform

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
  /// Of larger pieces the rest of the pages come when they are touched.
  private static let largestFilled = 1 << 28
  /// What the end of a piece must fill of a large page to get one: it is resident as a whole.
  private static let leastOfLargePage = largePage / 8 * 5

  let byteCount: Int
  let base: UnsafeMutableRawPointer
  /// What is mapped, where the piece has pages of its own.
  private var mapping: UnsafeMutableRawBufferPointer?
  /// The same between guard pages.
  private var guarded: GuardedPages?
  /// The bytes in front that large pages hold, if the system has some left.
  private var largeByteCount = 0

  /// Memory of so many bytes, or `nil` when the system has not so much.
  ///
  /// What is `isFilledAtOnce`, all of it soon, has its small pages from the start. With guard pages memory that holds
  /// elements alone is aligned for these only, so that it ends with the last one.
  init?(
    byteCount: Int, isFilledAtOnce: Bool = false, elementAlignment: Int = ZeroedMemory.alignment
  ) {
    self.byteCount = byteCount
    if MemoryGuard.isOn {
      guard let guarded = MemoryGuard.map(byteCount, alignment: elementAlignment) else {
        return nil
      }
      base = guarded.base
      self.guarded = guarded
      return
    }
    guard byteCount >= (isFilledAtOnce ? Self.filledThreshold : Self.pageThreshold) else {
      base = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
      base.initializeMemory(as: UInt8.self, repeating: 0, count: max(byteCount, 1))
      return
    }
    largeByteCount = Self.largeByteCount(of: byteCount)
    let mappedCount =
      largeByteCount > 0 ? max(byteCount, largeByteCount) + Self.largePage : byteCount
    let pages = mmap(
      nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else { return nil }
    mapping = UnsafeMutableRawBufferPointer(start: pages, count: mappedCount)
    base = largeByteCount > 0 ? pages.alignedUp(toMultipleOf: Self.largePage) : pages
    if largeByteCount > 0 { madvise(base, largeByteCount, MADV_HUGEPAGE) }
    if isFilledAtOnce { populate(min(largeByteCount, byteCount)..<byteCount) }
  }

  /// The bytes of so many that large pages hold, and what else is in the last of these.
  static func largeByteCount(of byteCount: Int) -> Int {
    let brokenPage = byteCount % largePage
    return byteCount - brokenPage + (brokenPage < leastOfLargePage ? 0 : largePage)
  }

  /// Brings in the large pages, of which whoever only looks at a model need not have any.
  func populateLargePages() {
    populate(0..<min(largeByteCount, byteCount, Self.largestFilled))
  }

  /// Brings in the pages of some bytes, which are written next: by one call instead of a fault for each.
  func populate(_ bytes: Range<Int>) {
    guard mapping != nil, !bytes.isEmpty else { return }
    let firstPage = (base + bytes.lowerBound).alignedDown(toMultipleOf: Int(getpagesize()))
    // Where the system is older than Linux 5.14 it refuses, and pages come one by one.
    madvise(firstPage, base + bytes.upperBound - firstPage, Self.populateForWriting)
  }

  /// `MADV_POPULATE_WRITE`, which older headers lack.
  private static let populateForWriting: Int32 = 23

  /// Gives the memory back, after which it must not be used.
  func free() {
    if let guarded {
      guarded.free()
    } else if let mapping {
      munmap(mapping.baseAddress, mapping.count)
    } else {
      base.deallocate()
    }
  }
}
