/// The memory behind a picture: its own, or somebody else's that is borrowed.
///
/// What is shared is never written: `Image` copies it first. That makes it safe to send.
final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  /// Whether the memory belongs to this object, which then frees it.
  let isOwned: Bool
  /// Kept alive for as long as borrowed memory is in use.
  private let owner: AnyObject?

  /// Own memory of `byteCount` bytes, whose contents are undefined.
  init(byteCount: Int) {
    // Rows of 64 bytes begin at cache lines; vectors never straddle two at the start of a plane.
    bytes = .allocate(byteCount: max(byteCount, 1), alignment: 64)
    isOwned = true
    owner = nil
  }

  /// Memory of the caller's, which keeps it valid and unchanged for as long as this object lives.
  init(borrowing bytes: UnsafeRawBufferPointer, owner: AnyObject?) {
    self.bytes = UnsafeMutableRawBufferPointer(mutating: bytes)
    isOwned = false
    self.owner = owner
  }

  deinit {
    if isOwned { bytes.deallocate() }
  }
}
