import OcellusPlatform

/// Zeroed memory, aligned for any vector.
///
/// Small allocations come from the heap, large ones from the system in pages that cost nothing
/// until they are touched.
struct ZeroedMemory {
  static let alignment = 64
  private static let pageThreshold = 1 << 17
  /// The size at which mapping pages costs less than clearing heap memory that is written next
  /// anyway.
  private static let filledThreshold = 1 << 14
  /// The size of the pages that large allocations ask for: one fault brings in 512 small pages.
  private static let largePage = 1 << 21
  /// The limit on populating pages in advance; pages beyond it come when they are touched.
  private static let largestFilled = 1 << 28
  /// The bytes that are populated at once.
  private static let populatedAtOnce = 4 * largePage
  /// The minimum number of bytes at the end of an allocation that justify a large page, which is
  /// resident as a whole.
  private static let minimumBytesOfLargePage = largePage / 8 * 5

  let byteCount: Int
  let base: UnsafeMutableRawPointer
  /// The mapped pages, if the allocation has pages of its own.
  private var mapping: UnsafeMutableRawBufferPointer?
  /// The pages if the allocation lies between guard pages.
  private var guarded: GuardedPages?
  /// The number of bytes at the start that large pages hold, if the system has any left.
  private var largeByteCount = 0

  /// Allocates zeroed memory; `nil` when the system has too little.
  ///
  /// `isPopulatedEagerly` says that all of the memory is written soon, so its small pages are
  /// populated now. With guard pages, `elementAlignment` is all the alignment that the memory gets,
  /// so that it ends with the last element.
  init?(
    byteCount: Int, isPopulatedEagerly: Bool = false, elementAlignment: Int = ZeroedMemory.alignment
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
    guard byteCount >= (isPopulatedEagerly ? Self.filledThreshold : Self.pageThreshold) else {
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
    if isPopulatedEagerly { populate(min(largeByteCount, byteCount)..<byteCount) }
  }

  /// Returns the number of bytes that large pages hold, of an allocation of this size.
  ///
  /// The rest of the last large page counts as well.
  static func largeByteCount(of byteCount: Int) -> Int {
    let brokenPage = byteCount % largePage
    return byteCount - brokenPage + (brokenPage < minimumBytesOfLargePage ? 0 : largePage)
  }

  /// Populates the large pages, which only runs need, not programs that just inspect a model.
  ///
  /// Where memory is fragmented, the system takes some milliseconds for each, so `check` is called
  /// now and then, and may end it.
  func populateLargePages(_ check: () throws(ModelError) -> Void) throws(ModelError) {
    let end = min(largeByteCount, byteCount, Self.largestFilled)
    for start in stride(from: 0, to: end, by: Self.populatedAtOnce) {
      populate(start..<min(start + Self.populatedAtOnce, end))
      try check()
    }
  }

  /// Populates the pages of bytes that are written next, by one call instead of a fault for each
  /// page.
  func populate(_ bytes: Range<Int>) {
    guard mapping != nil, !bytes.isEmpty else { return }
    let firstPage = (base + bytes.lowerBound).alignedDown(toMultipleOf: Int(getpagesize()))
    // Linux before 5.14 refuses this call, and pages are populated one by one.
    madvise(firstPage, base + bytes.upperBound - firstPage, Self.populateForWriting)
  }

  /// `MADV_POPULATE_WRITE`, which older headers lack.
  private static let populateForWriting: Int32 = 23

  /// Frees the memory, which must not be used afterwards.
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
