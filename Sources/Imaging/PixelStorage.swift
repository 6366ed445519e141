/// The memory of a picture, either allocated by this object or borrowed from the caller.
///
/// It is safe to send between threads, because shared memory is never written: `Image` copies it
/// first.
final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  /// Whether the memory belongs to this object, which then frees it.
  let isOwned: Bool
  /// The allocation to free, if the memory is owned.
  private let allocation: UnsafeMutableRawPointer?
  /// The owner of borrowed memory, kept alive for as long as the memory is in use.
  private let owner: AnyObject?

  /// Allocates `byteCount` bytes, whose contents are undefined.
  init(byteCount: Int) {
    // The start is aligned to a cache line by hand, so that vectors at the start of a plane do not
    // straddle two lines. Asking the allocator for that alignment is slow: the GNU C library maps
    // large aligned allocations anew each time, and the page faults of a frame cost more than its
    // conversion.
    let allocation = UnsafeMutableRawPointer.allocate(byteCount: byteCount + 64, alignment: 16)
    self.allocation = allocation
    bytes = UnsafeMutableRawBufferPointer(
      start: allocation.alignedUp(toMultipleOf: 64), count: max(byteCount, 1))
    isOwned = true
    owner = nil
  }

  /// Borrows memory that the caller keeps valid and unchanged for the lifetime of this object.
  init(borrowing bytes: UnsafeRawBufferPointer, owner: AnyObject?) {
    self.bytes = UnsafeMutableRawBufferPointer(mutating: bytes)
    isOwned = false
    allocation = nil
    self.owner = owner
  }

  deinit {
    allocation?.deallocate()
  }
}
