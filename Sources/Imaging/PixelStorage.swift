/// The memory behind a picture: its own, or somebody else's that is borrowed.
///
/// What is shared is never written: `Image` copies it first. That makes it safe to send.
final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  /// Whether the memory belongs to this object, which then frees it.
  let isOwned: Bool
  /// What has to be freed.
  private let allocation: UnsafeMutableRawPointer?
  /// Kept alive for as long as borrowed memory is in use.
  private let owner: AnyObject?

  /// Own memory of `byteCount` bytes, whose contents are undefined.
  init(byteCount: Int) {
    // Rows of 64 bytes begin at cache lines; vectors never straddle two at the start of a plane. Not
    // by asking for such memory: the GNU C library maps large aligned pieces anew each time, and the
    // page faults of a frame cost more than its conversion.
    let allocation = UnsafeMutableRawPointer.allocate(byteCount: byteCount + 64, alignment: 16)
    self.allocation = allocation
    bytes = UnsafeMutableRawBufferPointer(
      start: allocation.alignedUp(toMultipleOf: 64), count: max(byteCount, 1))
    isOwned = true
    owner = nil
  }

  /// Memory of the caller's, which keeps it valid and unchanged for as long as this object lives.
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
